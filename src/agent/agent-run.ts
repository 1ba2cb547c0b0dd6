import type { AssistantMessage, Message } from "../model/message.ts";
import { textOf, userMessage } from "../model/message.ts";
import type { ModelRequest, ToolDefinition } from "../model/model-request.ts";
import type { ModelProvider } from "../model/stream-model.ts";
import type { Tool } from "../tools/tool.ts";
import {
  cutAnswerError,
  emptyAnswerError,
  fatalError,
  invalidRequestError,
  refusedError,
  requestTimeoutError,
} from "./agent-error.ts";
import type { AgentErrorDetails, AgentEvent, CompletionReason } from "./agent-event.ts";
import type { AgentRequest } from "./agent-request.ts";
import { wait } from "./clock.ts";
import { Generation } from "./generate.ts";
import { judgeCalls } from "./judge-calls.ts";
import type { JudgedCall } from "./judged-call.ts";
import { type PreparedCall, prepareResponse } from "./prepare-calls.ts";
import { runCalls } from "./run-calls.ts";
import { RunContext, type RunServices } from "./run-context.ts";
import { RunLedger } from "./run-ledger.ts";
import { RequestTimedOut } from "./stop-reason.ts";
import { buildSystemPrompt, lastIterationNote } from "./system-prompt.ts";
import { availableTools } from "./tool-availability.ts";
import { partialAnswer, Transcript } from "./transcript.ts";
import { buildUserMessage } from "./user-message.ts";

export type SelectedModel = { readonly provider: ModelProvider; readonly id: string };

export type RunSetup = RunServices & {
  /** Asked before every answer, so that a change of model counts from the next one on. */
  readonly selectModel: () => SelectedModel;
  readonly tools: readonly Tool[];
  /** Takes the agent for this run until disposed. Throws when another has it. */
  readonly claim: (run: AgentRun) => Disposable;
};

type Steps<Result = void> = AsyncGenerator<AgentEvent, Result, void>;

/** What an answer leads to. */
type TurnOutcome = "go_on" | "finished" | "max_iterations";

/** Ends the run with an error that was not thrown by the model. */
class RunFailed extends Error {
  readonly details: AgentErrorDetails;

  constructor(details: AgentErrorDetails) {
    super(details.error);
    this.details = details;
  }
}

/**
 * One request, from prompt to answer. Reading it runs it: the events come as they happen, `agent_complete` is the last.
 * It throws only when it cannot begin. Leaving early stops everything, and waits until it has stopped.
 */
export class AgentRun implements AsyncIterableIterator<AgentEvent, undefined> {
  readonly #setup: RunSetup;
  readonly #run: RunContext;
  readonly #ledger: RunLedger;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #definitions: readonly ToolDefinition[];
  readonly #maxIterations: number;
  readonly #events: AsyncGenerator<AgentEvent, undefined, void>;
  #generation: Generation | undefined;
  #partial: AssistantMessage | undefined;
  #failure: unknown;
  #isComplete = false;

  /** The request's clock starts with the first event that is read. */
  constructor(request: AgentRequest, setup: RunSetup, signal: AbortSignal | undefined) {
    const { configuration } = setup;
    this.#setup = setup;
    this.#run = new RunContext(request, setup, signal);
    const transcript = new Transcript(request.history ?? []);
    this.#ledger = new RunLedger(transcript, configuration.includeToolResultsInHistory);
    const mayUseTools = configuration.enabled && request.enableTools !== false;
    const tools = mayUseTools ? availableTools(setup.tools, request.toolContext) : [];
    this.#tools = new Map(tools.map((tool) => [tool.id, tool]));
    this.#definitions = tools.map(({ id, description, inputSchema }) => ({
      name: id,
      description,
      inputSchema,
    }));
    this.#maxIterations = request.maxIterations ?? configuration.maxIterations;
    this.#events = this.#main();
  }

  /**
   * What the run adds to the conversation: the prompt, answers, results. It grows before the event that tells of it is
   * out, and is whole, every call answered, once the run is over.
   */
  get messages(): readonly Message[] {
    return this.#ledger.transcript.added;
  }

  /** The words of an answer that an error broke off. They are not among `messages`, so that it can be asked again. */
  get partialMessage(): AssistantMessage | undefined {
    return this.#partial;
  }

  /** What was thrown, when that ended the run: for callers in this process, beside the event that tells of it. */
  get failure(): unknown {
    return this.#failure;
  }

  cancel(message = "The request was cancelled."): void {
    this.#run.cancel(message);
  }

  next(): Promise<IteratorResult<AgentEvent, undefined>> {
    return this.#events.next();
  }

  return(): Promise<IteratorResult<AgentEvent, undefined>> {
    this.cancel("The reader left.");
    return this.#events.return(undefined);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async *#main(): AsyncGenerator<AgentEvent, undefined, void> {
    const { machine } = this.#setup;
    using _claim = this.#setup.claim(this);
    using run = this.#run;
    try {
      yield run.begin();
      try {
        const reason = yield* this.#turns();
        yield run.move("no_tool_calls");
        yield run.move("complete", reason);
        yield this.#complete(reason);
      } catch (error) {
        yield* this.#endEarly(error);
      }
    } finally {
      // When the reader left there is nobody to yield to, but subscribers still see the end.
      if (!machine.isTerminal) {
        run.move("cancel", "The reader left.");
        this.#keepPartial();
      }
      if (!this.#isComplete) this.#complete(machine.currentState === "completed" ? "finished" : "cancelled");
    }
    return undefined;
  }

  async *#turns(): Steps<"finished" | "max_iterations"> {
    const run = this.#run;
    this.#addPrompt();
    for (let callsBefore = 0; ; ) {
      run.signal.throwIfAborted();
      yield run.move("begin_thinking");
      const executedBefore = this.#ledger.toolCallsExecuted;
      yield run.emit({
        ...run.base("agent_iteration"),
        maxIterations: this.#maxIterations,
        toolCallsInPreviousIteration: callsBefore,
        totalToolCallsExecuted: executedBefore,
        elapsedTime: run.elapsed,
      });
      const outcome = yield* this.#turn(this.#setup.machine.iterationNumber >= this.#maxIterations);
      if (outcome !== "go_on") return outcome;
      callsBefore = this.#ledger.toolCallsExecuted - executedBefore;
      const { iterationDelayMs } = this.#setup.configuration;
      if (iterationDelayMs > 0) await wait(this.#setup.clock, iterationDelayMs, run.signal);
    }
  }

  #addPrompt(): void {
    const { maxIterations, history = [] } = this.#run.request;
    if (
      maxIterations !== undefined &&
      !(Number.isInteger(maxIterations) && maxIterations >= 1 && maxIterations <= 100)
    ) {
      const problem = `maxIterations is ${maxIterations}; it must be a whole number from 1 to 100.`;
      throw new RunFailed(invalidRequestError(problem));
    }
    const prompt = buildUserMessage(this.#run.request);
    if (prompt) this.#ledger.transcript.add(prompt);
    else if (history.length === 0)
      throw new RunFailed(invalidRequestError("The request has no message and no history."));
  }

  /** One answer of the model and the calls it asks for. */
  async *#turn(isLast: boolean): Steps<TurnOutcome> {
    const run = this.#run;
    const { provider, id } = this.#setup.selectModel();
    const generation = new Generation(run, this.#modelRequest(id, isLast));
    this.#generation = generation;
    yield* generation.events(provider);
    const response = generation.response();
    this.#ledger.addGeneration(response.usage, generation.pieces);
    if (response.reason === "refused") throw new RunFailed(refusedError(textOf(response.message)));
    const { message, calls } = prepareResponse(response, {
      tools: this.#tools,
      iterationNumber: this.#setup.machine.iterationNumber,
      timestamp: run.timestamp(),
      claimCallId: (wanted) =>
        this.#ledger.transcript.claimCallId(wanted, (id) => this.#setup.approvals.wasAsked(id)),
    });
    this.#generation = undefined;

    if (message.content.length > 0) this.#ledger.transcript.add(message);
    if (calls.length > 0) {
      yield* this.#handleCalls(calls, isLast);
      return isLast ? "max_iterations" : "go_on";
    }
    if (response.reason === "paused" && !isLast) return "go_on";
    if (message.content.length === 0) yield run.error(emptyAnswerError());
    if (response.reason === "length") yield run.error(cutAnswerError());
    return isLast && this.#tools.size > 0 ? "max_iterations" : "finished";
  }

  #modelRequest(model: string, isLast: boolean): ModelRequest {
    const { request } = this.#run;
    const hasTools = this.#definitions.length > 0;
    const system = buildSystemPrompt(request.systemPrompt, this.#setup.configuration, hasTools);
    const messages = this.#ledger.transcript.snapshot();
    return {
      ...request.inferenceOptions,
      model,
      ...(system === undefined ? {} : { system }),
      messages: isLast && hasTools ? withNote(messages, lastIterationNote) : messages,
      // The tools stay when they may not be used: calls in the history need their definitions.
      ...(hasTools ? { tools: this.#definitions } : {}),
      ...(hasTools && isLast ? { toolChoice: "none" } : {}),
      cacheKey: request.conversationId,
    };
  }

  async *#handleCalls(calls: readonly PreparedCall[], isLast: boolean): Steps {
    const run = this.#run;
    const { machine } = this.#setup;
    for (const [callIndex, { request }] of calls.entries()) {
      yield run.emit({ ...run.base("tool_call_request"), request, callIndex, totalCalls: calls.length });
    }
    const judged = isLast ? calls.map(outOfIterations) : yield* judgeCalls(run, calls);
    const approved = judged.filter((call) => call.tool).length;
    if (approved > 0) {
      // After a denial the machine is thinking again: back to the calls that were approved before it.
      if (machine.currentState === "thinking") yield run.move("detect_tool_call", `${approved} approved`);
      if (machine.currentState === "parsing_tool_call")
        yield run.move("approval_granted", `${approved} approved`);
    }
    yield* runCalls(run, this.#ledger, judged);
    if (approved > 0) yield run.move("tool_complete", `${approved} run`);
    else if (machine.currentState === "parsing_tool_call")
      yield run.move("approval_denied", "no call may run");
    run.signal.throwIfAborted();
  }

  async *#endEarly(error: unknown): Steps {
    const run = this.#run;
    const reason: unknown = run.signal.aborted ? run.signal.reason : undefined;
    if (run.signal.aborted) this.#keepPartial();
    else this.#partial = this.#brokenOff();
    if (run.signal.aborted && !(reason instanceof RequestTimedOut)) {
      yield run.move("cancel", reason instanceof Error ? reason.message : undefined);
      yield this.#complete("cancelled");
      return;
    }
    this.#failure = reason ?? error;
    const details = errorDetails(this.#failure);
    yield run.error(details);
    yield run.move("fail", details.error);
    yield this.#complete(reason ? "timeout" : "error");
  }

  #brokenOff(): AssistantMessage | undefined {
    return this.#generation && partialAnswer(this.#generation.response().message);
  }

  /** The user saw these words; what follows may refer to them. */
  #keepPartial(): void {
    const partial = this.#brokenOff();
    this.#ledger.transcript.close();
    if (partial) this.#ledger.transcript.add(partial);
    this.#generation = undefined;
  }

  #complete(reason: CompletionReason): AgentEvent {
    const run = this.#run;
    const ledger = this.#ledger;
    ledger.transcript.close();
    this.#isComplete = true;
    return run.emit({
      ...run.base("agent_complete"),
      reason,
      finalResponse: this.#partial ? textOf(this.#partial) : ledger.transcript.finalText(),
      toolCallsExecuted: ledger.toolCallsExecuted,
      totalIterations: this.#setup.machine.iterationNumber,
      totalDuration: run.elapsed,
      wasCancelled: reason === "cancelled",
      totalTokens: ledger.totalTokens,
      usage: ledger.usage,
      toolUsage: ledger.toolUsage,
    });
  }
}

function errorDetails(error: unknown): AgentErrorDetails {
  if (error instanceof RunFailed) return error.details;
  return error instanceof RequestTimedOut ? requestTimeoutError(error) : fatalError(error);
}

/** A model that calls although it was told not to. */
function outOfIterations({ request }: PreparedCall): JudgedCall {
  const text = "Not run: the request has reached its last turn, and no more calls are possible.";
  return { request, tool: undefined, status: "validation_failed", text };
}

/** For this one request only. An answer that was paused must stay last, or it could not be continued. */
function withNote(messages: readonly Message[], note: string): readonly Message[] {
  const last = messages.at(-1);
  if (last?.role === "assistant") return messages;
  if (last?.role !== "user") return [...messages, userMessage(note)];
  return [
    ...messages.slice(0, -1),
    { role: "user", content: [...last.content, { type: "text", text: note }] },
  ];
}
