import type { Clock } from "../clock.ts";

/** Time that passes when a test says so. */
export class ManualClock implements Clock {
  #now = Date.parse("2026-01-01T00:00:00.000Z");
  readonly #timers = new Map<number, { readonly due: number; readonly callback: () => void }>();
  #nextTimer = 0;

  readonly now = (): number => this.#now;

  readonly after = (milliseconds: number, callback: () => void): Disposable => {
    const id = this.#nextTimer;
    this.#nextTimer += 1;
    this.#timers.set(id, { due: this.#now + milliseconds, callback });
    return { [Symbol.dispose]: () => void this.#timers.delete(id) };
  };

  get pendingTimers(): number {
    return this.#timers.size;
  }

  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (;;) {
      const due = [...this.#timers].filter(([, timer]) => timer.due <= end);
      const [first] = due.toSorted(([, a], [, b]) => a.due - b.due);
      if (!first) break;
      const [id, { due: at, callback }] = first;
      this.#timers.delete(id);
      this.#now = Math.max(this.#now, at);
      callback();
    }
    this.#now = end;
  }
}
