import type { ShellPart } from "./shell-part.ts";
import { readWord, Unreadable } from "./shell-word.ts";
import type { SyntaxNode } from "./syntax-node.ts";

/** Nothing where no file is meant: `2>&1`, `>&-`. */
export function readRedirect(node: SyntaxNode, source: string): ShellPart | undefined {
  const text = source.slice(node.start, node.end);
  const sign = node.children.find(({ named }) => !named);
  const operator = sign ? source.slice(sign.start, sign.end) : "";
  const targets = node.children.filter(
    ({ named, type }) => named && type !== "file_descriptor" && type !== "comment",
  );
  // The grammar takes the words of the program that follow for more targets.
  if (targets.length > 1) throw new Unreadable("Words of a command stand behind a redirection.");
  const [target] = targets;
  if (/^[<>]&-$/.test(operator) && !target) return undefined;
  if (!target) throw new Unreadable("A redirection without a target.");
  const path = readWord(target, source);
  switch (operator) {
    case "<":
      return { kind: "read", text, path };
    case "<&":
    case ">&":
      if (!path.dynamic && /^(\d+-?|-)$/.test(path.text)) return undefined;
      return { kind: "write", text, path };
    case ">":
    case ">>":
    case ">|":
    case "&>":
    case "&>>":
      return { kind: "write", text, path };
    default:
      throw new Unreadable(`The redirection ${operator} is not understood.`);
  }
}
