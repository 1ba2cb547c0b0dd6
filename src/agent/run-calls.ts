import { determinateProgress } from "../tools/tool-progress.ts";
import { orAborted } from "./abortable.ts";
import { toolError } from "./agent-error.ts";
import type { AgentEvent, ToolExecutionEvent } from "./agent-event.ts";
import { accessOf, type CallAccess, mustKeepOrder } from "./call-order.ts";
import { EventQueue } from "./event-queue.ts";
import type { ApprovedCall, JudgedCall } from "./judged-call.ts";
import { fitResult } from "./large-result.ts";
import type { RunContext } from "./run-context.ts";
import type { EndedCall, RunLedger } from "./run-ledger.ts";
import { runTool, type ToolOutcome } from "./run-tool.ts";

/**
 * Brings the judged calls of one answer to their ends: side by side up to the limit, but never past an earlier call
 * they must wait for. Results come, and go into the conversation, in the order of the calls.
 */
export async function* runCalls(
  run: RunContext,
  ledger: RunLedger,
  calls: readonly JudgedCall[],
): AsyncGenerator<AgentEvent, void, void> {
  const queue = new EventQueue<AgentEvent>();
  const batch = new CallBatch(run, ledger, calls, queue);
  const work = batch.run().finally(() => queue.close());
  work.catch(() => {
    // Awaited below, when the reader has taken what is queued; until then nobody listens.
  });
  try {
    yield* queue;
  } finally {
    // A reader that leaves has cancelled the run, so that this does not take long.
    await work;
  }
}

class CallBatch {
  readonly #run: RunContext;
  readonly #ledger: RunLedger;
  readonly #calls: readonly JudgedCall[];
  readonly #queue: EventQueue<AgentEvent>;
  readonly #ended: (EndedCall | undefined)[];
  /** Of the calls that run, by their place. */
  readonly #accesses: readonly (CallAccess | undefined)[];
  #reported = 0;

  constructor(
    run: RunContext,
    ledger: RunLedger,
    calls: readonly JudgedCall[],
    queue: EventQueue<AgentEvent>,
  ) {
    this.#run = run;
    this.#ledger = ledger;
    this.#calls = calls;
    this.#queue = queue;
    this.#ended = calls.map((call) => (call.tool ? undefined : refused(call)));
    this.#accesses = calls.map((call) => (call.tool ? accessOf(call) : undefined));
  }

  async run(): Promise<void> {
    const waiting = new Map<number, ApprovedCall>();
    for (const [index, call] of this.#calls.entries()) if (call.tool) waiting.set(index, call);
    const running = new Map<number, Promise<void>>();
    this.#reportEnded();
    while (waiting.size > 0 || running.size > 0) {
      for (const [index, call] of waiting) {
        if (running.size >= this.#run.services.configuration.maxParallelToolCalls) break;
        if (this.#mustWait(index)) continue;
        waiting.delete(index);
        const ending = this.#bringToEnd(call).then((ended) => {
          running.delete(index);
          this.#ended[index] = ended;
          this.#reportEnded();
        });
        running.set(index, ending);
      }
      await Promise.race(running.values());
    }
  }

  /** On an earlier call that has not ended. The first waiting call never does, so that there is always progress. */
  #mustWait(index: number): boolean {
    const access = this.#accesses[index];
    return this.#accesses.some((earlier, at) => {
      return at < index && earlier && access && !this.#ended[at] && mustKeepOrder(access, earlier);
    });
  }

  async #bringToEnd(call: ApprovedCall): Promise<EndedCall> {
    const { request, permission, modifiedParameters } = call;
    const common = { request, permission, ...(modifiedParameters ? { modifiedParameters } : {}) };
    if (this.#run.signal.aborted) return { ...common, ...neverStarted };
    const outcome = await this.#execute(call);
    const { configuration, storeLargeResult } = this.#run.services;
    const { content, cut } = await fitResult(
      { callId: request.id, toolId: request.toolId, content: outcome.result.content },
      configuration.maxToolResultTokens,
      storeLargeResult && ((large) => orAborted(storeLargeResult(large), this.#run.signal)),
    );
    const { status, duration } = outcome;
    const result = { ...outcome.result, content };
    return { ...common, status, duration, result, executed: true, ...(cut ? { cut } : {}) };
  }

  async #execute(call: ApprovedCall): Promise<ToolOutcome> {
    const { id: callId, toolId, toolName } = call.request;
    const startedAt = this.#run.services.clock.now();
    const event = (details: Pick<ToolExecutionEvent, "status" | "progress" | "statusMessage" | "elapsed">) =>
      this.#run.emit({ ...this.#run.base("tool_execution"), callId, toolId, toolName, ...details });
    const elapsed = () => this.#run.services.clock.now() - startedAt;

    this.#queue.push(event({ status: "starting", statusMessage: call.request.executionSummary }));
    const outcome = await runTool(this.#run, call, ({ current, total, message }) => {
      const progress = determinateProgress(current, total, message);
      // Only the latest progress matters; a chatty tool must not fill the memory of a slow reader.
      this.#queue.pushLatest(
        event({ status: "in_progress", progress, elapsed: elapsed() }),
        (waiting) =>
          waiting.type === "tool_execution" && waiting.callId === callId && waiting.status === "in_progress",
      );
    });
    if (outcome.thrown) this.#queue.push(this.#run.error(toolError(toolName, outcome.thrown.error)));
    const { status, result } = outcome;
    const message = status === "completed" ? {} : { statusMessage: firstLine(result.content) };
    this.#queue.push(event({ status, elapsed: elapsed(), ...message }));
    return outcome;
  }

  /** As far as the calls have ended without a gap. */
  #reportEnded(): void {
    for (;;) {
      const ended = this.#ended[this.#reported];
      if (!ended) return;
      this.#reported += 1;
      const { request, status, duration, permission, modifiedParameters, cut } = ended;
      const result = this.#ledger.addResult(ended);
      this.#queue.push(
        this.#run.emit({
          ...this.#run.base("tool_result"),
          callId: request.id,
          toolId: request.toolId,
          toolName: request.toolName,
          status,
          result,
          duration,
          ...(permission ? { permission } : {}),
          ...(modifiedParameters ? { modifiedParameters } : {}),
          ...(cut ? { cut } : {}),
        }),
      );
    }
  }
}

const neverStarted = {
  status: "cancelled",
  result: { ok: false, content: "Not run: the request was stopped before its turn came." },
  duration: 0,
  executed: false,
} as const;

function refused(call: Extract<JudgedCall, { tool: undefined }>): EndedCall {
  const { request, status, text, permission } = call;
  return {
    request,
    status,
    result: { ok: false, content: text },
    duration: 0,
    executed: false,
    ...(permission ? { permission } : {}),
  };
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0]?.slice(0, 200) ?? "";
}
