import type { FileHandle } from "node:fs/promises";

export type LineWindow = {
  /** 1-based. */
  readonly firstLine: number;
  readonly mostLines: number;
  readonly mostCharacters: number;
  /** What is longer is cut. */
  readonly longestLine: number;
};

export type LinesRead = {
  readonly lines: readonly string[];
  /** The line to go on with; absent at the end of the file. */
  readonly nextLine?: number;
  /** Known only when the end was reached. */
  readonly totalLines?: number;
  readonly cutLines: number;
};

export type FileText = LinesRead | { readonly binary: true };

type Decoder = InstanceType<typeof TextDecoder>;

const pieceSize = 64 * 1024;

/** A window of a text file. Reads no further than it must and keeps no more than it returns. */
export async function readLines(file: FileHandle, window: LineWindow): Promise<FileText> {
  const piece = Buffer.alloc(pieceSize);
  const lines: string[] = [];
  let decoder: Decoder | undefined;
  let line = 1;
  let text = "";
  let skipped = 0;
  let characters = 0;
  let cutLines = 0;
  let full = false;

  const endLine = () => {
    if (line >= window.firstLine) {
      full =
        lines.length >= window.mostLines ||
        (lines.length > 0 && characters + text.length > window.mostCharacters);
      if (full) return;
      if (skipped > 0) cutLines++;
      const shown = skipped > 0 ? `${text}… (${skipped} more characters in this line)` : text;
      lines.push(shown.endsWith("\r") ? shown.slice(0, -1) : shown);
      characters += shown.length + 1;
    }
    line++;
    text = "";
    skipped = 0;
  };
  const take = (decoded: string) => {
    let at = 0;
    while (!full && at < decoded.length) {
      const newline = decoded.indexOf("\n", at);
      const end = newline === -1 ? decoded.length : newline;
      if (line >= window.firstLine) {
        const room = window.longestLine - text.length;
        text += decoded.slice(at, Math.min(end, at + room));
        skipped += Math.max(0, end - at - room);
      }
      at = end + 1;
      if (newline !== -1) endLine();
    }
    return at;
  };

  let size = 0;
  let lastWasNewline = true;
  for (;;) {
    const { bytesRead } = await file.read(piece, 0, pieceSize, null);
    if (bytesRead === 0) break;
    const bytes = piece.subarray(0, bytesRead);
    decoder ??= decoderFor(bytes);
    if (!decoder) return { binary: true };
    const decoded = decoder.decode(bytes, { stream: true });
    if (decoder.encoding === "utf-8" && bytes.includes(0)) return { binary: true };
    size += bytesRead;
    take(decoded);
    if (decoded !== "") lastWasNewline = decoded.endsWith("\n");
    if (full) return { lines, nextLine: line, cutLines };
  }
  if (decoder) take(decoder.decode());
  if (!full && size > 0 && !lastWasNewline) endLine();
  if (full) return { lines, nextLine: line, cutLines };
  return { lines, totalLines: line - 1, cutLines };
}

/** By the byte order mark; UTF-8 otherwise. A NUL in what should be UTF-8 means that it is no text at all. */
function decoderFor(start: Uint8Array): Decoder | undefined {
  if (start[0] === 0xff && start[1] === 0xfe) return new TextDecoder("utf-16le");
  if (start[0] === 0xfe && start[1] === 0xff) return new TextDecoder("utf-16be");
  return start.includes(0) ? undefined : new TextDecoder("utf-8");
}
