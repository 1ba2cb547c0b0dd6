import { describe, expect, it } from "vitest";
import type { Policy, PolicyCall } from "../policy/policy.ts";
import { approve, deny } from "./answer-approval.ts";
import { allowAll, askAll, calls, createKit, ofType, runToEnd, says } from "./testing/agent-kit.ts";
import { askingKit, recordingTool } from "./testing/asking-kit.ts";
import { aTool } from "./testing/tools.ts";

describe("the policy", () => {
  it("sees the call as it is", async () => {
    const seen: PolicyCall[] = [];
    const policy: Policy = {
      judge: (call, signal) => {
        seen.push(call);
        return allowAll.judge(call, signal);
      },
    };
    const kit = askingKit({ policy });
    const granted = {
      toolId: "x",
      autoApproved: true,
      grantedAt: "2026-01-01T00:00:00Z",
      isPersistent: false,
    };
    await runToEnd(kit.agent, {
      toolContext: { maxAutoApprovalRiskLevel: "high", sessionPermissions: [granted] },
    });
    expect(seen).toEqual([
      {
        callId: "c1",
        requestId: "r1",
        conversationId: "conversation",
        toolId: "write_file",
        toolName: "write_file",
        category: "file_system",
        readOnly: false,
        parameters: { path: "a" },
        riskLevel: "medium",
        summary: "write_file a",
        maxAutoApprovalRiskLevel: "high",
        sessionPermissions: [granted],
      },
    ]);
  });

  it("denies without asking", async () => {
    const kit = askingKit({
      policy: {
        judge: () => ({ answer: "deny", reason: "Never here.", source: "project", rule: "deny write_file" }),
      },
    });
    const { events } = await runToEnd(kit.agent);
    expect(ofType(events, "approval_request")).toEqual([]);
    expect(ofType(events, "tool_result")[0]).toMatchObject({
      status: "denied",
      permission: { allowed: false, source: "project", rule: "deny write_file" },
      result: { content: expect.stringContaining("Never here.") },
    });
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("bad rule");
      },
    ],
    ["rejects", () => Promise.reject(new Error("bad rule"))],
  ])("denies when it %s", async (_name, judge) => {
    const kit = askingKit({ policy: { judge } });
    const { events } = await runToEnd(kit.agent);
    expect(kit.ran).toEqual([]);
    expect(ofType(events, "agent_error")).toMatchObject([{ category: "permission_error", isFatal: false }]);
    expect(ofType(events, "tool_result")[0]?.status).toBe("denied");
  });

  it("is asked about the risk of this call, not of the tool", async () => {
    const risky = aTool({ riskOf: ({ path }) => (path === "/etc/passwd" ? "high" : "safe") });
    const { agent } = createKit(
      [
        [calls("read_file", { path: "/etc/passwd" }, "1"), calls("read_file", { path: "b" }, "2")],
        [says("ok")],
      ],
      {
        tools: [risky],
        policy: {
          judge: ({ riskLevel }) => ({
            answer: riskLevel === "high" ? "deny" : "allow",
            reason: "r",
            source: "user",
          }),
        },
      },
    );
    const { events } = await runToEnd(agent);
    expect(ofType(events, "tool_result").map((event) => event.status)).toEqual(["denied", "completed"]);
  });
});

it("asks in the order of the calls, and runs nothing until all are judged", async () => {
  const { tool, ran } = recordingTool();
  const write = (path: string) => calls("write_file", { path }, path);
  const { agent } = createKit([[write("a"), write("b"), write("c")], [says("ok")]], {
    tools: [tool],
    policy: askAll,
    approver: "events",
  });
  const asked: string[] = [];
  const { events } = await runToEnd(agent, {}, (event) => {
    if (event.type !== "approval_request") return;
    asked.push(event.request.id);
    expect(ran).toEqual([]);
    return event.request.id === "b" ? approve(event) : deny(event);
  });
  expect(asked).toEqual(["a", "b", "c"]);
  expect(ran).toEqual([{ path: "b" }]);
  expect(ofType(events, "tool_result").map((event) => `${event.callId} ${event.status}`)).toEqual([
    "a denied",
    "b completed",
    "c denied",
  ]);
});
