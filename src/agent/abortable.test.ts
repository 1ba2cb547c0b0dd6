import { describe, expect, it } from "vitest";
import { orAborted, untilAborted } from "./abortable.ts";
import { settle } from "./testing/agent-kit.ts";

async function* count(log: string[], end = Number.POSITIVE_INFINITY) {
  try {
    for (let number = 0; number < end; number += 1) yield number;
  } finally {
    log.push("closed");
  }
}

describe("a stream read until it is aborted", () => {
  it("gives what its source gives", async () => {
    const log: string[] = [];
    const items: number[] = [];
    for await (const item of untilAborted(count(log, 3), new AbortController().signal)) items.push(item);
    expect([items, log]).toEqual([[0, 1, 2], ["closed"]]);
  });

  it("closes its source when the reader leaves", async () => {
    const log: string[] = [];
    for await (const item of untilAborted(count(log), new AbortController().signal)) if (item === 2) break;
    expect(log).toEqual(["closed"]);
  });

  it("throws what its source throws", async () => {
    async function* broken() {
      yield 1;
      throw new Error("broken");
    }
    const stream = untilAborted(broken(), new AbortController().signal);
    await stream.next();
    await expect(stream.next()).rejects.toThrow("broken");
  });

  it("throws the signal's reason at once, and closes its source", async () => {
    const log: string[] = [];
    const controller = new AbortController();
    const stream = untilAborted(count(log), controller.signal);
    await stream.next();
    controller.abort(new Error("enough"));
    await expect(stream.next()).rejects.toThrow("enough");
    await settle();
    expect(log).toEqual(["closed"]);
  });

  it("does not wait for a source that is stuck", async () => {
    async function* stuck() {
      yield 1;
      await new Promise(() => {});
    }
    const controller = new AbortController();
    const stream = untilAborted(stuck(), controller.signal);
    await stream.next();
    const next = stream.next();
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });

  it("does not even begin after the signal was aborted", async () => {
    const stream = untilAborted(count([]), AbortSignal.abort(new Error("before")));
    await expect(stream.next()).rejects.toThrow("before");
  });

  it("lets its source fail in its own way when it is closed", async () => {
    const source = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<number>>(() => {}),
        return: () => Promise.reject(new Error("cannot close")),
      }),
    };
    const controller = new AbortController();
    const next = untilAborted(source, controller.signal).next();
    controller.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});

describe("work that may be aborted", () => {
  it("comes to its own end", async () => {
    const { signal } = new AbortController();
    expect(await orAborted(Promise.resolve(1), signal)).toBe(1);
    expect(await orAborted(2, signal)).toBe(2);
    await expect(orAborted(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  });

  it("is not waited for after an abort", async () => {
    const controller = new AbortController();
    const work = orAborted(new Promise(() => {}), controller.signal);
    controller.abort(new Error("enough"));
    await expect(work).rejects.toThrow("enough");
    await expect(orAborted(new Promise(() => {}), controller.signal)).rejects.toThrow("enough");
  });
});
