import type { CommandInput } from "./shell-part.ts";
import { Unreadable } from "./shell-word.ts";
import type { SyntaxNode } from "./syntax-node.ts";

/**
 * The text of a here-document. Throws `Unreadable` when it does not end where bash would end it, or holds an expansion
 * that the grammar did not see.
 */
export function readHeredoc(node: SyntaxNode, source: string): CommandInput {
  const textOf = (child: SyntaxNode | undefined) => (child ? source.slice(child.start, child.end) : "");
  const childOf = (type: string) => node.children.find((child) => child.type === type);
  const start = textOf(childOf("heredoc_start"));
  const isQuoted = /['"\\]/.test(start);
  const delimiter = start.replace(/^'([^']*)'$|^"([^"$`\\]*)"$/, "$1$2");
  if (!/^[\w.-]+$/.test(delimiter)) throw new Unreadable("A here-document with an odd end mark.");
  const strips = node.children.some((child) => !child.named && textOf(child) === "<<-");
  const plain = (line: string) => (strips ? line.replace(/^\t+/, "") : line);
  const end = childOf("heredoc_end");
  const body = childOf("heredoc_body");
  const after = end ? source.charAt(end.end) : "";
  if (!end || plain(textOf(end)) !== delimiter || (after !== "" && after !== "\n"))
    throw new Unreadable("A here-document does not end where it should.");
  const lines = source.slice(body ? body.start : end.start, end.start).split("\n").slice(0, -1);
  if (lines.some((line) => plain(line) === delimiter))
    throw new Unreadable("A here-document ends before it should.");
  const text = lines.map((line) => `${plain(line)}\n`).join("");
  if (isQuoted) return { kind: "text", text };
  const seen = (body?.children ?? []).filter(({ children }) => children.length > 0);
  let rest = "";
  let at = body?.start ?? 0;
  for (const child of seen) {
    rest += source.slice(at, child.start);
    at = child.end;
  }
  rest += source.slice(at, body?.end ?? at);
  if (!/^(?:[^`$\\]|\\[^]|\$(?![\w{([@*#?!$-]))*$/.test(rest))
    throw new Unreadable("A here-document holds an expansion that is not understood.");
  return seen.length > 0 || /[\\]/.test(text) ? { kind: "other" } : { kind: "text", text };
}
