import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EventQueue } from "./event-queue.ts";

type Item = { readonly key: string; readonly value: number };

async function readAll(queue: EventQueue<Item>): Promise<string[]> {
  const items: string[] = [];
  for await (const { key, value } of queue) items.push(`${key}${value}`);
  return items;
}

describe("a queue", () => {
  it("gives everything in order, then ends", async () => {
    const queue = new EventQueue<Item>();
    queue.push({ key: "a", value: 1 });
    const reading = readAll(queue);
    await Promise.resolve();
    queue.push({ key: "a", value: 2 });
    queue.close();
    queue.push({ key: "a", value: 3 });
    expect(await reading).toEqual(["a1", "a2"]);
  });

  it("replaces an unread item by a newer one of its kind, in its place", async () => {
    const queue = new EventQueue<Item>();
    const latest = (key: string, value: number) =>
      queue.pushLatest({ key, value }, (item) => item.key === key);
    latest("a", 1);
    latest("b", 1);
    latest("a", 2);
    expect(await queue.next()).toMatchObject({ value: { key: "a", value: 2 } });
    latest("a", 3);
    queue.close();
    latest("b", 9);
    expect(await readAll(queue)).toEqual(["b1", "a3"]);
  });

  it("drops what is left when its reader leaves", async () => {
    const queue = new EventQueue<Item>();
    for (const value of [1, 2, 3]) queue.push({ key: "a", value });
    for await (const _ of queue) break;
    expect(await queue.next()).toEqual({ done: true, value: undefined });
  });

  it("loses nothing, however writing and reading take turns", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 60 }), async (turns) => {
        const queue = new EventQueue<Item>();
        const read: number[] = [];
        const reads: Promise<void>[] = [];
        let written = 0;
        for (const writes of turns) {
          if (writes) queue.push({ key: "a", value: written++ });
          else if (reads.length < written) {
            reads.push(queue.next().then((step) => void (step.done || read.push(step.value.value))));
          }
          await Promise.resolve();
        }
        queue.close();
        await Promise.all(reads);
        for await (const { value } of queue) read.push(value);
        expect(read).toEqual(Array.from({ length: written }, (_, index) => index));
      }),
    );
  });
});
