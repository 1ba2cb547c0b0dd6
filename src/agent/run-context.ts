import type { ApprovalDecision } from "../policy/approval-decision.ts";
import type { Policy } from "../policy/policy.ts";
import type { AgentConfiguration } from "./agent-configuration.ts";
import type {
  AgentErrorDetails,
  AgentEvent,
  AgentEventType,
  ApprovalRequestEvent,
  EventBase,
  StateChangedEvent,
} from "./agent-event.ts";
import type { AgentRequest } from "./agent-request.ts";
import type { AgentTransition } from "./agent-state.ts";
import type { Approvals } from "./approvals.ts";
import type { Clock } from "./clock.ts";
import type { AgentEventEmitter } from "./event-emitter.ts";
import type { StoreLargeResult } from "./large-result.ts";
import { RunDeadline } from "./run-deadline.ts";
import type { AgentStateMachine, StateChange } from "./state-machine.ts";
import { RequestTimedOut, RunCancelled } from "./stop-reason.ts";

/** Answers approval requests by itself. */
export type AnswerApproval = (
  event: ApprovalRequestEvent,
  signal: AbortSignal,
) => ApprovalDecision | Promise<ApprovalDecision>;

/**
 * Who answers when the policy asks: whoever reads the events (`events`), a function, or nobody (`nobody`), which
 * denies at once.
 */
export type Approver = "nobody" | "events" | AnswerApproval;

/** What outlives a single run. */
export type RunServices = {
  readonly configuration: AgentConfiguration;
  readonly policy: Policy;
  readonly approver: Approver;
  readonly approvals: Approvals;
  readonly emitter: AgentEventEmitter;
  readonly machine: AgentStateMachine;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly storeLargeResult: StoreLargeResult | undefined;
  /** How long a stopped tool may take to end, in milliseconds. */
  readonly stopGraceMs: number;
};

/** One run's signal, clock and events: what every part of the loop needs. */
export class RunContext implements Disposable {
  readonly request: AgentRequest;
  readonly services: RunServices;
  readonly deadline: RunDeadline;
  readonly #controller = new AbortController();
  readonly #outer: AbortSignal | undefined;
  readonly #onOuterAbort = () => this.cancel("The caller cancelled the request.");
  /** One id for the run and a number for each event: an answer has tens of thousands. */
  readonly #eventPrefix: string;
  #eventCount = 0;
  #startedAt = 0;
  #stampedAt = Number.NaN;
  #stamp = "";

  constructor(request: AgentRequest, services: RunServices, outer: AbortSignal | undefined) {
    const { clock, configuration } = services;
    this.request = request;
    this.services = services;
    this.#eventPrefix = services.newId();
    this.deadline = new RunDeadline(clock, configuration.requestTimeoutMs, () =>
      this.#controller.abort(new RequestTimedOut(configuration.requestTimeoutMs)),
    );
    this.#outer = outer;
  }

  /** Starts the clock and listens to the caller's signal: a run that nobody reads holds nothing. */
  begin(): StateChangedEvent {
    this.#startedAt = this.services.clock.now();
    this.deadline.resume();
    this.#outer?.addEventListener("abort", this.#onOuterAbort, { once: true });
    if (this.#outer?.aborted) this.#onOuterAbort();
    return this.#stateChanged(this.services.machine.start(this.request.requestId));
  }

  /** Aborts with `RunCancelled` or `RequestTimedOut`. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  cancel(message: string): void {
    this.#controller.abort(new RunCancelled(message));
  }

  get elapsed(): number {
    return this.services.clock.now() - this.#startedAt;
  }

  /** Now, as ISO 8601. Many events share a millisecond, and writing a date costs more than the rest of an event. */
  timestamp(): string {
    const now = this.services.clock.now();
    if (now !== this.#stampedAt) {
      this.#stampedAt = now;
      this.#stamp = new Date(now).toISOString();
    }
    return this.#stamp;
  }

  /** The beginning of an event that happens now. */
  base<Type extends AgentEventType>(type: Type): EventBase<Type> {
    return {
      eventId: `${this.#eventPrefix}-${this.#eventCount++}`,
      type,
      timestamp: this.timestamp(),
      requestId: this.request.requestId,
      iterationNumber: this.services.machine.iterationNumber,
    };
  }

  /** Tells subscribers. Whoever made the event also yields it to the reader of the run. */
  emit<Event extends AgentEvent>(event: Event): Event {
    this.services.emitter.emit(event);
    return event;
  }

  /** Throws when the state has no such transition: a wrong turn of the loop must not go unnoticed. */
  move(transition: AgentTransition, context?: string): StateChangedEvent {
    return this.#stateChanged(this.services.machine.transition(transition, context));
  }

  error(details: AgentErrorDetails): AgentEvent {
    return this.emit({ ...this.base("agent_error"), ...details });
  }

  #stateChanged({ requestId: _, iterationNumber: __, ...change }: StateChange): StateChangedEvent {
    return this.emit({ ...this.base("state_changed"), ...change });
  }

  [Symbol.dispose](): void {
    this.deadline[Symbol.dispose]();
    this.#outer?.removeEventListener("abort", this.#onOuterAbort);
  }
}
