import { fstatSync } from "node:fs";
import { UsageError } from "./arguments.ts";

const mostBytes = 10 * 1024 * 1024;
const quietMs = 3_000;

/** What is piped or redirected into us; undefined for a terminal, a closed input and the null device. */
export async function readStdin(signal: AbortSignal): Promise<string | undefined> {
  let kind: ReturnType<typeof fstatSync>;
  try {
    kind = fstatSync(0);
  } catch {
    return undefined; // closed
  }
  if (kind.isCharacterDevice()) return undefined;
  // Programs often leave us a pipe that nobody writes to: whoever wonders why nothing happens is told.
  const timer = setTimeout(() => {
    process.stderr.write("Waiting for standard input to end. Without any: aintern … </dev/null\n");
  }, quietMs);
  const stop = () => process.stdin.destroy();
  signal.addEventListener("abort", stop, { once: true });
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of process.stdin) {
      clearTimeout(timer);
      pieces.push(piece);
      size += piece.length;
      if (size > mostBytes)
        throw new UsageError("More than 10 MB came in on standard input. Name a file instead.");
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
    signal.throwIfAborted();
  }
  const bytes = Buffer.concat(pieces);
  if (bytes.includes(0))
    throw new UsageError("What came in on standard input is not text. Name a file instead.");
  const text = bytes.toString("utf8");
  return text === "" ? undefined : text;
}
