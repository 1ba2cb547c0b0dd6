import type { ShellPart } from "./shell-part.ts";
import { readWord, Unreadable } from "./shell-word.ts";
import type { SyntaxNode } from "./syntax-node.ts";

/** Nothing where no file is meant: `2>&1`, `>&-`. */
export function readRedirect(node: SyntaxNode, source: string): ShellPart | undefined {
  const text = source.slice(node.start, node.end);
  const sign = node.children.find(({ named }) => !named);
  const operator = sign ? source.slice(sign.start, sign.end) : "";
  const target = node.children.findLast(({ named, type }) => named && type !== "file_descriptor");
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
