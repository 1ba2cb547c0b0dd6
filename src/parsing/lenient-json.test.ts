import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson, readLenientJson } from "./lenient-json.ts";

describe("JSON as models get it wrong", () => {
  it.each([
    ["{'a': 'it\\'s', 'b': None}", { a: "it's", b: null }],
    ['{"a": "line1\nline2"}', { a: "line1\nline2" }],
    ['{"a": "He said "hello" to me"}', { a: 'He said "hello" to me' }],
    ["{a: 1, b: [True, False,],}", { a: 1, b: [true, false] }],
    ['{"a": 007}', { a: 7 }],
    ['{"a": "\\d+"}', { a: "\\d+" }],
    ['{"a": NaN}', { a: null }],
  ])("reads %j", (text, value) => {
    expect(readJson(text)).toEqual(value);
  });

  it.each(['{"a": 15:30}', '{"a": ', "{a b}", '{"a": 1} x', "", "[1 2]"])("gives up on %j", (text) => {
    expect(readJson(text)).toBeUndefined();
  });

  it("reads right JSON as it is", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        expect(JSON.stringify(readLenientJson(text))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });
});
