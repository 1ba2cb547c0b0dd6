/** Does something at most once in a while, and always once more after the last time it was asked for. */
export class Throttle implements Disposable {
  readonly #everyMs: number;
  readonly #act: () => void;
  #timer: NodeJS.Timeout | undefined;
  #again = false;

  constructor(everyMs: number, act: () => void) {
    this.#everyMs = everyMs;
    this.#act = act;
  }

  trigger(): void {
    if (this.#timer) {
      this.#again = true;
      return;
    }
    this.#act();
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (!this.#again) return;
      this.#again = false;
      this.trigger();
    }, this.#everyMs);
  }

  /** Does it now if it is still due. */
  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#again) this.#act();
    this.#again = false;
  }
}
