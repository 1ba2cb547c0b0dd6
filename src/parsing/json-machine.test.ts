import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JsonMachine } from "./json-machine.ts";

function follow(text: string): { readonly machine: JsonMachine; readonly failedAt: number } {
  const machine = new JsonMachine();
  for (let i = 0; i < text.length; i++) {
    if (machine.feed(text.charCodeAt(i)) === "error") return { machine, failedAt: i };
  }
  return { machine, failedAt: -1 };
}

describe("the machine that follows JSON", () => {
  const document = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify({ value }, null, 1));

  it("accepts every document, and is done exactly at its end", () => {
    fc.assert(
      fc.property(document, fc.nat(), (text, at) => {
        expect(follow(text)).toMatchObject({ failedAt: -1, machine: { done: true, depth: 0 } });
        const prefix = follow(text.slice(0, at % text.length));
        expect(prefix).toMatchObject({ failedAt: -1, machine: { done: false } });
      }),
    );
  });

  it.each([
    ["{a: 1}", 1],
    ['{"a" 1}', 5],
    ['{"a": 1,}', 8],
    ["[1 2]", 3],
    ["[01]", 3],
    ["[tru]", 4],
    ['["a\nb"]', 3],
    ["{]", 1],
    ["[}", 1],
  ])("knows at once that %j is none", (text, at) => {
    expect(follow(text).failedAt).toBe(at);
  });

  it("takes a piece of a string whole, as it would by characters", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[^"\\\p{C}]*$/u), (piece) => {
        const whole = follow('{"a": "x').machine;
        const single = follow(`{"a": "x${piece}`).machine;
        expect(whole.absorb(piece)).toBe(true);
        expect(whole.text).toBe(single.text);
      }),
    );
    expect(follow('{"a": "x').machine.absorb('y"')).toBe(false);
    expect(follow('{"a": 1').machine.absorb("2")).toBe(false);
  });
});
