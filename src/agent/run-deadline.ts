import type { Clock } from "./clock.ts";

/** Time that runs out while it is not paused. It begins paused. */
export class RunDeadline {
  readonly #clock: Clock;
  readonly #onExpired: () => void;
  #left: number;
  #startedAt = 0;
  #timer: Disposable | undefined;

  constructor(clock: Clock, milliseconds: number, onExpired: () => void) {
    this.#clock = clock;
    this.#left = milliseconds;
    this.#onExpired = onExpired;
  }

  pause(): void {
    if (!this.#timer) return;
    this[Symbol.dispose]();
    this.#left -= this.#clock.now() - this.#startedAt;
  }

  resume(): void {
    if (this.#timer) return;
    this.#startedAt = this.#clock.now();
    this.#timer = this.#clock.after(Math.max(0, this.#left), this.#onExpired);
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
