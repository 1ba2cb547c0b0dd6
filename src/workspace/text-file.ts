/** How a text is written down as bytes, so that a changed text can be written the same way. */
export type TextForm = {
  readonly encoding: "utf-8" | "utf-16le" | "utf-16be";
  readonly byteOrderMark: boolean;
  /** What most lines end in. */
  readonly lineEnd: "\n" | "\r\n";
};

/** How a new file is written. */
export const plainForm: TextForm = { encoding: "utf-8", byteOrderMark: false, lineEnd: "\n" };

export type TextFile = { readonly text: string; readonly form: TextForm };

/** The text without its byte order mark, line ends as they are. Nothing when the bytes are no text in a form we know. */
export function decodeText(bytes: Uint8Array): TextFile | undefined {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && bytes.includes(0)) return undefined;
  let decoded: string;
  try {
    decoded = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined; // bytes that no text has: written back, they would not be the same
  }
  const byteOrderMark = decoded.startsWith("\ufeff");
  const text = byteOrderMark ? decoded.slice(1) : decoded;
  return { text, form: { encoding, byteOrderMark, lineEnd: usualLineEnd(text) } };
}

/** Line ends are written as they are in the text. */
export function encodeText(text: string, form: TextForm): Buffer {
  const marked = form.byteOrderMark ? `\ufeff${text}` : text;
  if (form.encoding === "utf-8") return Buffer.from(marked);
  const bytes = Buffer.from(marked, "utf16le");
  return form.encoding === "utf-16le" ? bytes : bytes.swap16();
}

export function withLineEnds(text: string, lineEnd: TextForm["lineEnd"]): string {
  const plain = text.replaceAll("\r\n", "\n");
  return lineEnd === "\n" ? plain : plain.replaceAll("\n", "\r\n");
}

function encodingOf(bytes: Uint8Array): TextForm["encoding"] {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return "utf-8";
}

function usualLineEnd(text: string): TextForm["lineEnd"] {
  let all = 0;
  let windows = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) {
    all++;
    if (text[at - 1] === "\r") windows++;
  }
  return windows * 2 > all ? "\r\n" : "\n";
}
