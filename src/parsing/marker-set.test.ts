import { describe, expect, it } from "vitest";
import { markerSet, undecided } from "./marker-set.ts";

describe("a set of markers", () => {
  const set = markerSet(["<tool>", "<tools>", "[", "[ARGS]"]);

  it("finds the longest at a place", () => {
    expect(set.match("a <tools> b", 2, false)).toBe("<tools>");
    expect(set.match("[ARGS]{}", 0, false)).toBe("[ARGS]");
    expect(set.match("[ARC", 0, false)).toBe("[");
    expect(set.match("<toolbox>", 0, false)).toBeUndefined();
  });

  it("cannot tell where the text ends too early, unless it ends for good", () => {
    expect(set.match("<to", 0, false)).toBe(undecided);
    expect(set.match("<to", 0, true)).toBeUndefined();
    expect(set.match("[A", 0, false)).toBe(undecided);
    expect(set.match("[A", 0, true)).toBe("[");
  });

  it("knows where one may begin", () => {
    expect(set.nextTrigger("text < and [", 0)).toBe(5);
    expect(set.nextTrigger("nothing", 0)).toBe(7);
    expect(markerSet(["◁think▷"]).nextTrigger("日 ◁", 1)).toBe(2);
  });
});
