import {
  type AgentState,
  type AgentTransition,
  canAcceptInput,
  canAcceptRequest,
  isTerminalState,
  nextState,
  validTransitions,
} from "./agent-state.ts";

export type StateChange = {
  readonly requestId: string;
  readonly previousState: AgentState;
  readonly currentState: AgentState;
  readonly transition: AgentTransition;
  /** 1 from the first time the model is asked; 0 before. */
  readonly iterationNumber: number;
  /** The tool when one is detected, the message of an error, the reason of a denial. */
  readonly context?: string;
  /** Milliseconds spent in the previous state; absent when that was `idle`. */
  readonly duration?: number;
};

/** A transition that the current state does not have. */
export class StateTransitionError extends Error {
  override readonly name = "StateTransitionError";
  readonly fromState: AgentState;
  readonly transition: AgentTransition;
  readonly context: string | undefined;

  constructor(fromState: AgentState, transition: AgentTransition, context?: string) {
    const detail = context === undefined ? "" : `: ${context}`;
    super(`Invalid transition '${transition}' from state '${fromState}'${detail}`);
    this.fromState = fromState;
    this.transition = transition;
    this.context = context;
  }
}

export class AgentStateMachine {
  readonly #now: () => number;
  readonly #listeners = new Set<(change: StateChange) => void>();
  #state: AgentState = "idle";
  #iterationNumber = 0;
  #enteredAt: number;
  #requestId = "";

  constructor(now: () => number = Date.now) {
    this.#now = now;
    this.#enteredAt = now();
  }

  get currentState(): AgentState {
    return this.#state;
  }

  get iterationNumber(): number {
    return this.#iterationNumber;
  }

  /** Empty between requests. */
  get requestId(): string {
    return this.#requestId;
  }

  get isTerminal(): boolean {
    return isTerminalState(this.#state);
  }

  get canAcceptRequest(): boolean {
    return canAcceptRequest(this.#state);
  }

  get canAcceptInput(): boolean {
    return canAcceptInput(this.#state);
  }

  /** Milliseconds. */
  get timeInCurrentState(): number {
    return this.#now() - this.#enteredAt;
  }

  onChange(listener: (change: StateChange) => void): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  canTransition(transition: AgentTransition): boolean {
    return nextState(this.#state, transition) !== undefined;
  }

  validTransitions(): readonly AgentTransition[] {
    return validTransitions(this.#state);
  }

  /** Nothing, and no change, when the transition is not allowed here. */
  tryTransition(transition: AgentTransition, context?: string): StateChange | undefined {
    const next = nextState(this.#state, transition);
    return next === undefined ? undefined : this.#enter(next, transition, context);
  }

  /** Throws `StateTransitionError` when the transition is not allowed here. */
  transition(transition: AgentTransition, context?: string): StateChange {
    const change = this.tryTransition(transition, context);
    if (!change) throw new StateTransitionError(this.#state, transition, context);
    return change;
  }

  /** Begins a request. Throws unless idle. */
  start(requestId: string): StateChange {
    if (!this.canAcceptRequest) throw new StateTransitionError(this.#state, "start", requestId);
    this.#requestId = requestId;
    return this.transition("start");
  }

  /** Back to idle, from anywhere, without a change event. */
  reset(): void {
    this.#state = "idle";
    this.#iterationNumber = 0;
    this.#enteredAt = this.#now();
    this.#requestId = "";
  }

  #enter(currentState: AgentState, transition: AgentTransition, context?: string): StateChange {
    const previousState = this.#state;
    const now = this.#now();
    const duration = now - this.#enteredAt;
    this.#state = currentState;
    this.#enteredAt = now;
    if (transition === "begin_thinking") this.#iterationNumber += 1;
    const change: StateChange = {
      requestId: this.#requestId,
      previousState,
      currentState,
      transition,
      iterationNumber: this.#iterationNumber,
      ...(context === undefined ? {} : { context }),
      ...(previousState === "idle" ? {} : { duration }),
    };
    for (const listener of this.#listeners) {
      try {
        listener(change);
      } catch {
        // A listener's failure is its own: the change has happened.
      }
    }
    return change;
  }
}
