import type { ImagePart, TextPart } from "../../model/message.ts";

/** The texts of a content, a line each, for formats that take only one text. */
export function wordsOf(content: readonly (TextPart | ImagePart)[]): string {
  return content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}
