import { expect, it } from "vitest";
import {
  determinateProgress,
  indeterminateProgress,
  isIndeterminate,
  progressPercentage,
} from "./tool-progress.ts";

it.each([
  [0, 4, 0],
  [1, 3, 33],
  [4, 4, 100],
  [9, 4, 100],
  [-1, 4, 0],
])("%i of %i is %i %%", (current, total, percentage) => {
  expect(progressPercentage(determinateProgress(current, total))).toBe(percentage);
});

it("has no percentage when nobody knows the total", () => {
  const progress = indeterminateProgress("looking");
  expect(progress).toEqual({ current: 0, total: 0, message: "looking" });
  expect([isIndeterminate(progress), progressPercentage(progress)]).toEqual([true, 0]);
  expect(isIndeterminate(determinateProgress(0, 1))).toBe(false);
});
