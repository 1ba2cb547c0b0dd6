import { expect, it } from "vitest";
import * as z from "zod/mini";
import { approvalDecisionSchema } from "./approval-decision.ts";

const accepts = (value: unknown) => z.safeParse(approvalDecisionSchema, value).success;

it.each([
  { approved: true },
  { approved: true, remember: { scope: "once" } },
  { approved: true, remember: { scope: "session" }, modifiedParameters: { path: "b" } },
  { approved: true, remember: { scope: "tool" } },
  { approved: false, reason: "not now", remember: { scope: "pattern", pattern: "src/**" } },
  { approved: true, remember: { scope: "pattern", pattern: ["cd src", "npm test *"] } },
  { approved: false, cancelsRequest: true },
])("accepts %j", (decision) => {
  expect(accepts(decision)).toBe(true);
});

it.each([
  {},
  { approved: "yes" },
  { approved: true, reason: "approvals have none" },
  { approved: true, cancelsRequest: true },
  { approved: true, modifiedParameters: ["a"] },
  { approved: true, remember: { scope: "forever" } },
  { approved: true, remember: { scope: "pattern" } },
  { approved: true, remember: { scope: "pattern", pattern: [] } },
  { approved: false, modifiedParameters: {} },
])("refuses %j", (decision) => {
  expect(accepts(decision)).toBe(false);
});
