/**
 * Reads `source` until the signal aborts, and then rejects with its reason at once, even when the source does not
 * listen. The source is told to end; it is not waited for, because it may never answer.
 */
export function untilAborted<Item>(
  source: AsyncIterable<Item>,
  signal: AbortSignal,
): AsyncIterableIterator<Item> {
  const iterator = source[Symbol.asyncIterator]();
  // One listener and one rejecter for the whole stream: a race for every item would pile up reactions on the signal.
  let rejectPending: (reason: unknown) => void = () => {};
  const onAbort = () => {
    rejectPending(signal.reason);
    iterator.return?.().catch(() => {
      // It was aborted; how it takes that is of no interest.
    });
  };
  const forget = () => signal.removeEventListener("abort", onAbort);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();

  return {
    next() {
      return new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        rejectPending = reject;
        iterator.next().then(
          (step) => {
            if (step.done) forget();
            resolve(step);
          },
          (error) => {
            forget();
            reject(error);
          },
        );
      });
    },
    async return() {
      forget();
      await iterator.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** What `work` comes to, or the signal's reason if that is sooner. Work that does not listen is left behind. */
export function orAborted<Result>(work: Result | Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    const forget = () => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    Promise.resolve(work).then(
      (result) => {
        forget();
        resolve(result);
      },
      (error) => {
        forget();
        reject(error);
      },
    );
  });
}
