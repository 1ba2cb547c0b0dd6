import { expect, it } from "vitest";
import { RepeatWatch } from "./repeat-watch.ts";

it("says something from the second failure of the same call on", () => {
  const watch = new RepeatWatch();
  expect(watch.note("read", { path: "a", line: 1 }, false)).toBeUndefined();
  expect(watch.note("read", { line: 1, path: "a" }, false)).toContain("failed 2 times");
  expect(watch.note("read", { path: "a", line: 1 }, false)).toContain("failed 3 times");
});

it("tells calls apart by tool and arguments, however deep", () => {
  const watch = new RepeatWatch();
  const different: [string, object][] = [
    ["read", { a: { b: [1, 2] } }],
    ["read", { a: { b: [2, 1] } }],
    ["read", { a: { b: [1, 2], c: null } }],
    ["write", { a: { b: [1, 2] } }],
  ];
  for (const [tool, parameters] of different) {
    expect(watch.note(tool, JSON.parse(JSON.stringify(parameters)), false)).toBeUndefined();
  }
});

it("begins anew after a success", () => {
  const watch = new RepeatWatch();
  watch.note("read", {}, false);
  expect(watch.note("read", {}, true)).toBeUndefined();
  expect(watch.note("read", {}, false)).toBeUndefined();
});
