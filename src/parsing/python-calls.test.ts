import { describe, expect, it } from "vitest";
import { readPythonCalls } from "./python-calls.ts";

describe("calls written as Python", () => {
  it("have literals for values, and nothing else", () => {
    expect(readPythonCalls("f(a=1, b='x', c=[True, None], d={'k': 1.5}, e={1, 2}), pkg.g()")).toEqual([
      { name: "f", arguments: { a: 1, b: "x", c: [true, null], d: { k: 1.5 }, e: [1, 2] } },
      { name: "pkg.g", arguments: {} },
    ]);
    expect(readPythonCalls("f(a=1 + 2)")).toBeUndefined();
    expect(readPythonCalls("f(a=b)")).toBeUndefined();
    expect(readPythonCalls("f(1)")).toBeUndefined();
  });

  it("may have quotes inside strings that nobody escaped", () => {
    expect(readPythonCalls("run(command='sed -n '1,2p' x', times=2)")).toEqual([
      { name: "run", arguments: { command: "sed -n '1,2p' x", times: 2 } },
    ]);
  });
});
