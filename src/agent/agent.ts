import { newId } from "../model/new-id.ts";
import type { ApprovalDecision } from "../policy/approval-decision.ts";
import type { Policy } from "../policy/policy.ts";
import { safeDefaultPolicy } from "../policy/safe-default-policy.ts";
import { ToolRegistry } from "../tools/tool-registry.ts";
import { type AgentSettings, agentConfiguration } from "./agent-configuration.ts";
import type { AgentRequest } from "./agent-request.ts";
import { AgentRun, type RunSetup, type SelectedModel } from "./agent-run.ts";
import { type AgentState, isCancellable } from "./agent-state.ts";
import { type ApprovalReceipt, Approvals } from "./approvals.ts";
import { type Clock, systemClock } from "./clock.ts";
import { AgentEventEmitter } from "./event-emitter.ts";
import type { StoreLargeResult } from "./large-result.ts";
import type { Approver } from "./run-context.ts";
import { AgentStateMachine } from "./state-machine.ts";

export type AgentOptions = {
  /** A function is asked before every answer. */
  readonly model: SelectedModel | (() => SelectedModel);
  readonly tools?: ToolRegistry;
  /** Left out: reading is allowed, everything else asks. */
  readonly policy?: Policy;
  /** Left out: nobody, and what would ask is denied. */
  readonly approver?: Approver;
  readonly settings?: AgentSettings;
  /** Left out: what is cut from a large result is lost. */
  readonly storeLargeResult?: StoreLargeResult;
  /** Hears of subscribers that fail. */
  readonly onSubscriberError?: (error: unknown) => void;
  readonly clock?: Clock;
  readonly newId?: () => string;
  /** How long a stopped tool may take to end before it is left behind, in milliseconds. */
  readonly stopGraceMs?: number;
};

/** A second request while one is running. */
export class AgentBusy extends Error {
  override readonly name = "AgentBusy";

  constructor() {
    super("The agent is working on another request. Wait for it to end, or cancel it.");
  }
}

/** Does one request at a time. Throws `RangeError` when its settings are not valid. */
export class Agent {
  /** For those who want to hear of events without running the request. */
  readonly events: AgentEventEmitter;
  readonly #tools: ToolRegistry;
  readonly #machine: AgentStateMachine;
  readonly #approvals: Approvals;
  readonly #setup: Omit<RunSetup, "tools">;
  #current: AgentRun | undefined;

  constructor(options: AgentOptions) {
    const { clock = systemClock, model } = options;
    this.#tools = options.tools ?? new ToolRegistry();
    this.events = new AgentEventEmitter(options.onSubscriberError);
    this.#machine = new AgentStateMachine(clock.now);
    this.#approvals = new Approvals(clock);
    this.#setup = {
      configuration: agentConfiguration(options.settings),
      policy: options.policy ?? safeDefaultPolicy,
      approver: options.approver ?? "nobody",
      approvals: this.#approvals,
      emitter: this.events,
      machine: this.#machine,
      clock,
      newId: options.newId ?? newId,
      storeLargeResult: options.storeLargeResult,
      stopGraceMs: options.stopGraceMs ?? 2_000,
      selectModel: typeof model === "function" ? model : () => model,
      claim: (run) => this.#claim(run),
    };
  }

  get state(): AgentState {
    return this.#machine.currentState;
  }

  get isProcessing(): boolean {
    return isCancellable(this.state);
  }

  /** 0 before the model is first asked. */
  get currentIteration(): number {
    return this.#machine.iterationNumber;
  }

  /** Nothing happens until the run is read, with `for await`. Reading throws `AgentBusy` while another one runs. */
  run(request: AgentRequest, signal?: AbortSignal): AgentRun {
    return new AgentRun(request, { ...this.#setup, tools: this.#tools.list() }, signal);
  }

  /** Cancels what is running, if anything is. */
  cancel(message?: string): void {
    this.#current?.cancel(message);
  }

  /**
   * Answers an `approval_request` by the id of its call. The first good answer counts, later ones are told so. Rejects
   * with `UnknownApproval` when nothing was asked for this call.
   */
  provideApproval(callId: string, decision: ApprovalDecision): Promise<ApprovalReceipt> {
    return this.#approvals.provide(callId, decision);
  }

  #claim(run: AgentRun): Disposable {
    if (this.#current) throw new AgentBusy();
    this.#current = run;
    this.#machine.reset();
    return {
      [Symbol.dispose]: () => {
        this.#current = undefined;
      },
    };
  }
}
