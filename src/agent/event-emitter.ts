import type { AgentEvent, AgentEventOf, AgentEventType } from "./agent-event.ts";
import { EventQueue } from "./event-queue.ts";

type Handler = (event: AgentEvent) => unknown;

/**
 * Hands events to any number of subscribers, in the order they subscribed. A subscriber that throws, or returns a
 * promise that fails, disturbs neither the others nor the run.
 */
export class AgentEventEmitter {
  readonly #all = new Set<Handler>();
  readonly #byType = new Map<AgentEventType, Set<Handler>>();
  readonly #streams = new Set<() => void>();
  readonly #onHandlerError: (error: unknown, event: AgentEvent) => void;

  constructor(onHandlerError: (error: unknown, event: AgentEvent) => void = () => {}) {
    this.#onHandlerError = onHandlerError;
  }

  /** Disposing ends the subscription. */
  on<Type extends AgentEventType>(type: Type, handler: (event: AgentEventOf<Type>) => unknown): Disposable {
    const handlers = this.#byType.get(type) ?? new Set();
    this.#byType.set(type, handlers);
    return subscribe(handlers, (event) => (isOfType(event, type) ? handler(event) : undefined));
  }

  onAny(handler: Handler): Disposable {
    return subscribe(this.#all, (event) => handler(event));
  }

  emit(event: AgentEvent): void {
    // Most runs have no subscribers at all, and text comes in thousands of events.
    if (this.#all.size === 0 && this.#byType.size === 0) return;
    for (const handler of [...this.#all, ...(this.#byType.get(event.type) ?? [])]) {
      try {
        const outcome = handler(event);
        if (outcome instanceof Promise) outcome.catch((error) => this.#report(error, event));
      } catch (error) {
        this.#report(error, event);
      }
    }
  }

  /** Events of one type, from now on until the emitter is closed, the signal aborts or the reader leaves. */
  stream<Type extends AgentEventType>(
    type: Type,
    signal?: AbortSignal,
  ): AsyncIterableIterator<AgentEventOf<Type>> {
    const queue = new EventQueue<AgentEventOf<Type>>();
    const subscription = this.on(type, (event) => queue.push(event));
    const end = () => {
      subscription[Symbol.dispose]();
      this.#streams.delete(end);
      signal?.removeEventListener("abort", end);
      queue.close();
    };
    this.#streams.add(end);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
    return {
      next: () => queue.next(),
      return: () => {
        end();
        return queue.return();
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Drops all subscribers; streams end when what they have is read. */
  close(): void {
    for (const end of [...this.#streams]) end();
    this.#all.clear();
    this.#byType.clear();
  }

  #report(error: unknown, event: AgentEvent): void {
    try {
      this.#onHandlerError(error, event);
    } catch {
      // The reporter is a subscriber too.
    }
  }
}

function subscribe(handlers: Set<Handler>, handler: Handler): Disposable {
  handlers.add(handler);
  return { [Symbol.dispose]: () => void handlers.delete(handler) };
}

function isOfType<Type extends AgentEventType>(event: AgentEvent, type: Type): event is AgentEventOf<Type> {
  return event.type === type;
}
