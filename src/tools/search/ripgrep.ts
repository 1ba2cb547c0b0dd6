import type { OpenFolder } from "../../workspace/open-folder.ts";

export type RipgrepRun = {
  readonly args: readonly string[];
  readonly folder: OpenFolder;
  readonly separator: "\n" | "\0";
  /** Gets each record and says whether more are wanted. Of one longer than a megabyte there is only the beginning. */
  readonly onRecord: (record: string, isWhole: boolean) => "more" | "enough";
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
};

export type RipgrepEnd =
  | { readonly end: "finished"; readonly code: number; readonly errors: string }
  | { readonly end: "enough" | "timed_out" }
  | { readonly end: "missing"; readonly reason: string };

const longestRecord = 1024 * 1024;
const longestErrors = 4_000;

/**
 * Runs ripgrep to its end, or until enough was seen. Its output is taken in pieces and never held as a whole. The
 * user's own configuration is not read: it can name programs to run. Throws `signal.reason`.
 */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  run.signal.throwIfAborted();
  const { rgPath } = await import("@vscode/ripgrep").catch(() => ({ rgPath: undefined }));
  if (!rgPath) return { end: "missing", reason: "ripgrep is not installed for this system." };
  const { RIPGREP_CONFIG_PATH: _, ...env } = process.env;
  const { spawn } = process.getBuiltinModule("node:child_process");
  const child = spawn(rgPath, ["--no-config", "--no-messages", ...run.args], {
    cwd: run.folder.path,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const limit = AbortSignal.timeout(run.timeLimitMs);
  const stop = () => child.kill("SIGKILL");
  run.signal.addEventListener("abort", stop);
  limit.addEventListener("abort", stop);
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (errors.length < longestErrors) errors += text;
  });
  const ended = new Promise<number | Error>((resolve) => {
    child.once("error", resolve);
    child.once("close", (code) => resolve(code ?? -1));
  });
  try {
    const enough = await readRecords(child.stdout, run);
    if (enough) stop();
    const code = await ended;
    run.signal.throwIfAborted();
    if (code instanceof Error)
      return { end: "missing", reason: `ripgrep could not be started: ${code.message}` };
    if (enough) return { end: "enough" };
    if (limit.aborted) return { end: "timed_out" };
    return { end: "finished", code, errors: errors.slice(0, longestErrors) };
  } finally {
    run.signal.removeEventListener("abort", stop);
    limit.removeEventListener("abort", stop);
    stop();
  }
}

async function readRecords(
  output: AsyncIterable<Buffer>,
  { separator, onRecord }: Pick<RipgrepRun, "separator" | "onRecord">,
): Promise<boolean> {
  const end = separator.charCodeAt(0);
  let held: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    // A first piece is at most as long as the system's buffer; later ones are dropped once there are too many.
    if (length <= longestRecord) held.push(piece);
    length += piece.length;
    if (length > longestRecord) held = held.slice(0, 1);
  };
  for await (const chunk of output) {
    let from = 0;
    for (let at = chunk.indexOf(end); at !== -1; at = chunk.indexOf(end, from)) {
      take(chunk.subarray(from, at));
      const record = Buffer.concat(held).toString();
      const isWhole = length <= longestRecord;
      held = [];
      length = 0;
      from = at + 1;
      if (onRecord(record, isWhole) === "enough") return true;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  return false;
}
