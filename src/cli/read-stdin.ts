import { fstatSync } from "node:fs";

const mostBytes = 10 * 1024 * 1024;
const firstByteMs = 3_000;

/** What is piped or redirected into us; undefined for a terminal, a closed input and the null device. */
export async function readStdin(options: { readonly hasPrompt: boolean }): Promise<string | undefined> {
  let kind: ReturnType<typeof fstatSync>;
  try {
    kind = fstatSync(0);
  } catch {
    return undefined; // closed
  }
  if (kind.isCharacterDevice()) return undefined;
  // Programs often leave us a pipe that nobody writes to. With a prompt given, it is not waited for for ever.
  const timer =
    options.hasPrompt && kind.isFIFO() ? setTimeout(() => process.stdin.destroy(), firstByteMs) : undefined;
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of process.stdin) {
      clearTimeout(timer);
      pieces.push(piece);
      size += piece.length;
      if (size > mostBytes)
        throw new RangeError("More than 10 MB came in on standard input. Name a file instead.");
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_STREAM_PREMATURE_CLOSE")
      return undefined;
    throw error;
  }
  const text = Buffer.concat(pieces).toString("utf8");
  return text === "" ? undefined : text;
}
