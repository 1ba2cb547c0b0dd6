import { describe, expect, it } from "vitest";
import { functionPolicy } from "./function-policy.ts";
import type { PolicyCall } from "./policy.ts";
import { isRiskAbove } from "./risk-level.ts";
import { safeDefaultPolicy } from "./safe-default-policy.ts";

const call: PolicyCall = {
  callId: "c1",
  requestId: "r1",
  conversationId: "conversation",
  toolId: "look",
  toolName: "Look",
  category: "file_system",
  readOnly: true,
  parameters: {},
  riskLevel: "safe",
  summary: "Look around",
};
const granted = {
  toolId: "look",
  autoApproved: true,
  grantedAt: "2026-01-01T00:00:00Z",
  isPersistent: false,
};

describe("the safe default policy", () => {
  const rows: [string, Partial<PolicyCall>, "allow" | "ask"][] = [
    ["allows reading", {}, "allow"],
    ["asks before anything else", { readOnly: false }, "ask"],
    ["asks before a read of more than safe risk", { riskLevel: "high" }, "ask"],
    [
      "allows a change within the request's own limit",
      { readOnly: false, riskLevel: "medium", maxAutoApprovalRiskLevel: "medium" },
      "allow",
    ],
    [
      "asks above the request's own limit",
      { readOnly: false, riskLevel: "high", maxAutoApprovalRiskLevel: "medium" },
      "ask",
    ],
    [
      "allows what the session granted",
      { readOnly: false, riskLevel: "high", sessionPermissions: [granted] },
      "allow",
    ],
    [
      "does not take a grant for another tool",
      { readOnly: false, sessionPermissions: [{ ...granted, toolId: "x" }] },
      "ask",
    ],
    [
      "does not take a grant that was withdrawn",
      { readOnly: false, sessionPermissions: [{ ...granted, autoApproved: false }] },
      "ask",
    ],
    [
      "does not widen a grant that holds for a pattern only",
      { readOnly: false, sessionPermissions: [{ ...granted, approvalPattern: "src/**" }] },
      "ask",
    ],
  ];
  it.each(rows)("%s", async (_name, change, answer) => {
    const decision = await safeDefaultPolicy.judge({ ...call, ...change }, AbortSignal.abort());
    expect(decision.answer).toBe(answer);
    expect(decision.reason).not.toBe("");
  });
});

it("answers from a function", () => {
  const policy = functionPolicy((asked) => ({
    answer: "deny",
    reason: `no ${asked.toolName}`,
    source: "user",
  }));
  expect(policy.judge(call, AbortSignal.abort())).toEqual({
    answer: "deny",
    reason: "no Look",
    source: "user",
  });
});

it("orders risks", () => {
  expect(isRiskAbove("high", "medium")).toBe(true);
  expect(isRiskAbove("medium", "medium")).toBe(false);
  expect(isRiskAbove("safe", "high")).toBe(false);
});
