import type { CommandInput } from "./shell-part.ts";
import { Unreadable } from "./shell-word.ts";
import type { SyntaxNode } from "./syntax-node.ts";

/** What may stand in the line in which a here-document is announced. Words there would be the program's. */
const beside: ReadonlySet<string> = new Set([
  "heredoc_start",
  "heredoc_body",
  "heredoc_end",
  "file_descriptor",
  "file_redirect",
  "pipeline",
  "command",
  "list",
  "redirected_statement",
  "comment",
]);

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
  if (node.children.some(({ type, named }) => named && !beside.has(type)))
    throw new Unreadable("Words stand behind a here-document's mark.");
  const firstLine = source.slice(childOf("heredoc_start")?.end, body?.start ?? end.start);
  if (!/^[^\n]*\n$/.test(firstLine)) throw new Unreadable("A here-document does not begin where it should.");
  const lines = source
    .slice(body ? body.start : end.start, end.start)
    .split("\n")
    .slice(0, -1);
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
  if (!/^(?:[^`$\\]|\\[\s\S]|\$(?![\w{([@*#?!$-]))*$/.test(rest))
    throw new Unreadable("A here-document holds an expansion that is not understood.");
  if (seen.length > 0) return { kind: "dynamic" };
  return text.includes("\\") ? { kind: "other" } : { kind: "text", text };
}
