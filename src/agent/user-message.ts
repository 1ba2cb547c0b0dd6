import type { UserMessage } from "../model/message.ts";
import {
  type AgentRequest,
  type AttachedFile,
  isEmptySelection,
  type TextSelection,
} from "./agent-request.ts";

/**
 * The user's words, with what they put beside them first: attached files, the active file, the selection. Each stands
 * in a block of its own, every line numbered.
 */
export function buildUserMessage(request: AgentRequest): UserMessage | undefined {
  const context = describeContext(request);
  const text = request.message ?? "";
  const images = request.images ?? [];
  if (context === "" && text === "" && images.length === 0) return undefined;
  const texts = [context, text].filter((part) => part !== "");
  return {
    role: "user",
    content: [...images, ...texts.map((part) => ({ type: "text" as const, text: part }))],
  };
}

function describeContext({ attachedFiles = [], toolContext = {} }: AgentRequest): string {
  const { activeFilePath, activeSelection } = toolContext;
  const blocks = attachedFiles.map(attachedFileBlock);
  if (activeFilePath !== undefined || activeSelection)
    blocks.push(activeFileBlock(activeFilePath, activeSelection));
  return blocks.join("\n\n");
}

function attachedFileBlock(file: AttachedFile): string {
  const { path, content, language, isTruncated, startLine = 1, endLine, fileSizeBytes, lastModified } = file;
  const attributes = {
    path,
    lines:
      file.startLine === undefined && endLine === undefined ? undefined : `${startLine}-${endLine ?? ""}`,
    language,
    size: fileSizeBytes === undefined ? undefined : `${fileSizeBytes} bytes`,
    modified: lastModified,
    truncated: isTruncated ? "true: the file has more than is shown" : undefined,
  };
  return block("attached_file", attributes, numbered(content, startLine));
}

function activeFileBlock(path: string | undefined, selection: TextSelection | undefined): string {
  if (!selection) return block("active_file", { path });
  const { startLine, startColumn, endLine, endColumn, text } = selection;
  if (isEmptySelection(selection))
    return block("active_file", { path, cursor: `${startLine}:${startColumn}` });
  const range = `${startLine}:${startColumn}-${endLine}:${endColumn}`;
  return block("active_file", { path, selection: range }, numbered(text, startLine));
}

const tags = ["attached_file", "active_file"] as const;

function block(
  tag: (typeof tags)[number],
  attributes: Readonly<Record<string, string | undefined>>,
  body?: string,
): string {
  const written = Object.entries(attributes)
    .flatMap(([name, value]) => (value === undefined ? [] : [` ${name}="${escapeAttribute(value)}"`]))
    .join("");
  return body === undefined ? `<${tag}${written} />` : `<${tag}${written}>\n${body}\n</${tag}>`;
}

/** Line numbers tell the model where it is, and keep any line of the content from posing as one of ours. */
function numbered(content: string, firstLine: number): string {
  const lines = visible(content.replace(/^\ufeff/, ""))
    .replace(ownTag, "&lt;")
    .split("\n");
  if (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines.map((line, index) => `${firstLine + index}| ${line}`).join("\n");
}

const ownTag = new RegExp(`<(?=\\s*/?\\s*(?:${tags.join("|")}))`, "gi");

function escapeAttribute(value: string): string {
  return visible(value)
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\n", "\\n")
    .replaceAll("\t", "\\t");
}

/**
 * Everything a reader could not see, written out: control characters but tab and line feed, bidirectional marks, line
 * separators, zero-width spaces and the invisible "tag" letters. Joiners stay: emoji and some scripts need them.
 */
function visible(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(invisible, (character) => {
    const code = character.codePointAt(0)?.toString(16) ?? "";
    return `\\u{${code}}`;
  });
}

const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
