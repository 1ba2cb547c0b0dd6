/** Time as the agent sees it, so that tests can let it pass. */
export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Calls back once, unless disposed before. */
  readonly after: (milliseconds: number, callback: () => void) => Disposable;
};

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  },
};

/** Resolves after `milliseconds`, or rejects with the signal's reason. */
export function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => {
      timer[Symbol.dispose]();
      reject(signal.reason);
    };
    const timer = clock.after(milliseconds, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}
