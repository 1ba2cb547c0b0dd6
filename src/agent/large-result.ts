import { messageOf } from "./agent-error.ts";
import type { CutResult } from "./agent-event.ts";
import { bytesPerToken, estimateTokens } from "./token-estimate.ts";

export type LargeResult = {
  readonly callId: string;
  readonly toolId: string;
  readonly content: string;
};

/** Keeps a whole result where the model can read on, and says where: a path or a link it can use with its tools. */
export type StoreLargeResult = (result: LargeResult) => Promise<string>;

export type FittedResult = { readonly content: string; readonly cut?: CutResult };

/** What a cut leaves for the head; the rest is the tail. The end of a build log is what matters, so it gets more. */
const headShare = 0.4;

/** The content if it fits the budget; otherwise its head and tail with a note between them that says what is missing. */
export async function fitResult(
  result: LargeResult,
  maxTokens: number,
  store?: StoreLargeResult,
): Promise<FittedResult> {
  const totalTokens = estimateTokens(result.content);
  if (totalTokens <= maxTokens) return { content: result.content };
  const kept = await keep(result, store);
  const content = cutMiddle(result.content, maxTokens * bytesPerToken, kept.note);
  return {
    content,
    cut: {
      totalTokens,
      keptTokens: estimateTokens(content),
      ...(kept.storedAt === undefined ? {} : { storedAt: kept.storedAt }),
    },
  };
}

async function keep(
  result: LargeResult,
  store: StoreLargeResult | undefined,
): Promise<{ readonly note: string; readonly storedAt?: string }> {
  if (!store) return { note: "The rest was not kept: call again for a smaller part." };
  try {
    const storedAt = await store(result);
    return { note: `The whole output is in ${storedAt}; read the part you need from there.`, storedAt };
  } catch (error) {
    return { note: `The rest could not be kept (${messageOf(error)}): call again for a smaller part.` };
  }
}

/** At most `budget` bytes, the note included, cut between lines where they are not too long. */
export function cutMiddle(text: string, budget: number, note: string): string {
  const bytes = Buffer.from(text);
  const announce = (missing: Buffer) => {
    const lines = countLines(missing);
    return `[… ${lines} lines (${missing.length} of ${bytes.length} bytes) left out here. ${note} …]\n`;
  };
  const room = Math.max(0, budget - Buffer.byteLength(announce(bytes)) - 1);
  const headEnd = lineEndBefore(bytes, Math.floor(room * headShare));
  const tailStart = lineStartAfter(bytes, bytes.length - (room - headEnd));
  const head = bytes.subarray(0, headEnd).toString();
  const tail = bytes.subarray(tailStart).toString();
  const separator = head === "" || head.endsWith("\n") ? "" : "\n";
  return `${head}${separator}${announce(bytes.subarray(headEnd, tailStart))}${tail}`;
}

const newline = 0x0a;

/** The end of the last line that fits; inside a line only when it would cost more than half of the room. */
function lineEndBefore(bytes: Buffer, limit: number): number {
  const end = bytes.lastIndexOf(newline, limit - 1) + 1;
  return limit > 0 && end > limit / 2 ? end : characterStart(bytes, limit, -1);
}

function lineStartAfter(bytes: Buffer, limit: number): number {
  if (bytes[limit - 1] === newline) return limit;
  const start = bytes.indexOf(newline, limit) + 1;
  const room = bytes.length - limit;
  return start > 0 && start - limit < room / 2 ? start : characterStart(bytes, limit, 1);
}

/** Steps over the continuation bytes of UTF-8, so that no character is split. */
function characterStart(bytes: Buffer, index: number, step: 1 | -1): number {
  let at = index;
  while (at > 0 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += step;
  return at;
}

function countLines(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(newline); at !== -1; at = bytes.indexOf(newline, at + 1)) lines += 1;
  return bytes.at(-1) === newline ? lines : lines + 1;
}
