import type { JsonValue } from "../model/json.ts";
import type { ToolProgress } from "../tools/tool-progress.ts";
import { failed, type ToolResult } from "../tools/tool-result.ts";
import { messageOf } from "./agent-error.ts";
import type { Clock } from "./clock.ts";
import type { ApprovedCall } from "./judged-call.ts";
import type { RunContext } from "./run-context.ts";
import { ToolTimedOut } from "./stop-reason.ts";

export type ToolOutcome = {
  readonly status: "completed" | "failed" | "cancelled" | "timed_out";
  readonly result: ToolResult;
  /** Milliseconds. */
  readonly duration: number;
  /** Present when the tool broke its contract by throwing. */
  readonly thrown?: { readonly error: unknown };
};

type Attempt = Omit<ToolOutcome, "duration">;

/** Runs one call to its end, whatever the tool does. Never rejects. */
export async function runTool(
  run: RunContext,
  call: ApprovedCall,
  report: (progress: ToolProgress) => void,
): Promise<ToolOutcome> {
  const { clock, configuration } = run.services;
  const startedAt = clock.now();
  const mayRetry = configuration.autoRetryFailedTools && call.tool.readOnly;
  let attempt = await attemptCall(run, call, report);
  if (mayRetry && attempt.status === "failed") attempt = await attemptCall(run, call, report);
  return { ...attempt, duration: clock.now() - startedAt };
}

async function attemptCall(
  run: RunContext,
  call: ApprovedCall,
  report: (progress: ToolProgress) => void,
): Promise<Attempt> {
  const { clock, configuration, stopGraceMs } = run.services;
  const controller = new AbortController();
  const onRunStopped = () => controller.abort(run.signal.reason);
  run.signal.addEventListener("abort", onRunStopped, { once: true });
  if (run.signal.aborted) onRunStopped();
  using _limit = clock.after(configuration.toolTimeoutMs, () =>
    controller.abort(new ToolTimedOut(configuration.toolTimeoutMs)),
  );
  let ended = false;
  const work = execute(run, call, controller.signal, (progress) => {
    if (!ended) report(progress);
  });
  const attempt = await settleOrAbandon(work, controller.signal, clock, stopGraceMs);
  ended = true;
  run.signal.removeEventListener("abort", onRunStopped);
  return attempt;
}

type Settled = { readonly result: ToolResult } | { readonly error: unknown };

async function execute(
  run: RunContext,
  { request, tool, args }: ApprovedCall,
  signal: AbortSignal,
  reportProgress: (progress: ToolProgress) => void,
): Promise<Settled> {
  const { requestId, conversationId, toolContext } = run.request;
  const workspacePath = toolContext?.workspacePath;
  try {
    const result = await tool.execute(args, {
      callId: request.id,
      requestId,
      conversationId,
      ...(workspacePath === undefined ? {} : { workspacePath }),
      signal,
      reportProgress,
    });
    return { result: plainResult(result) };
  } catch (error) {
    return { error };
  }
}

/** A tool that is told to stop gets some time to do so: it may have processes to end. Then it is left behind. */
function settleOrAbandon(
  work: Promise<Settled>,
  signal: AbortSignal,
  clock: Clock,
  graceMs: number,
): Promise<Attempt> {
  return new Promise((resolve) => {
    let grace: Disposable | undefined;
    const onAbort = () => {
      grace = clock.after(graceMs, () => resolve(stopped(undefined, signal.reason)));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    void work.then((settled) => {
      // A stop that comes from here on is too late: the call has ended by itself.
      signal.removeEventListener("abort", onAbort);
      grace?.[Symbol.dispose]();
      resolve(signal.aborted ? stopped(settled, signal.reason) : finished(settled));
    });
  });
}

function finished(settled: Settled): Attempt {
  if ("error" in settled) {
    const result = failed(`The tool failed: ${messageOf(settled.error)}`);
    return { status: "failed", result, thrown: settled };
  }
  return { status: settled.result.ok ? "completed" : "failed", result: settled.result };
}

/** Nothing stands for a tool that did not end. */
function stopped(settled: Settled | undefined, reason: unknown): Attempt {
  const timedOut = reason instanceof ToolTimedOut;
  const why = timedOut
    ? `Timed out after ${reason.milliseconds / 1_000} s and was stopped.`
    : `Cancelled before it was finished. ${messageOf(reason)}`;
  return { status: timedOut ? "timed_out" : "cancelled", result: interruptedResult(settled, why) };
}

function interruptedResult(settled: Settled | undefined, why: string): ToolResult {
  if (!settled) return failed(`${why} It did not stop when told to, and may still be at work.`);
  if ("error" in settled || settled.result.content === "") return failed(why);
  return { ...settled.result, ok: false, content: `${why} What it had to say:\n${settled.result.content}` };
}

/** Results come from foreign code as well; events and logs need plain JSON. */
function plainResult(result: ToolResult): ToolResult {
  if (typeof result?.content !== "string" || typeof result.ok !== "boolean") {
    throw new TypeError("it returned something that is not a result");
  }
  const { ok, content, images, data, diagnostics } = result;
  return {
    ok,
    content,
    ...(images ? { images } : {}),
    ...(data === undefined ? {} : { data: plainJson(data) }),
    ...(diagnostics ? { diagnostics } : {}),
  };
}

function plainJson(data: JsonValue): JsonValue {
  return JSON.parse(JSON.stringify(data) ?? "null");
}
