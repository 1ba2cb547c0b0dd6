import { describe, expect, it } from "vitest";
import type { ApprovalDecision } from "../policy/approval-decision.ts";
import type { Policy, PolicyCall } from "../policy/policy.ts";
import { approve, cancel, deny } from "./answer-approval.ts";
import { askAll, calls, createKit, ofType, outline, runToEnd, says, settle } from "./testing/agent-kit.ts";
import { askingKit, recordingTool, runAnswering } from "./testing/asking-kit.ts";

describe("a call that asks", () => {
  it("waits for the answer and runs when it is approved", async () => {
    const kit = askingKit();
    const { events } = await runAnswering(kit, async (event) => {
      expect(kit.agent.state).toBe("waiting_for_approval");
      expect(kit.ran).toEqual([]);
      kit.clock.advance(4_000);
      expect(await kit.agent.provideApproval(event.request.id, { approved: true })).toEqual({
        accepted: true,
      });
    });
    expect(outline(events).slice(3, 14)).toEqual([
      "→ parsing_tool_call",
      "text end 0",
      "call c1 1/1",
      "→ waiting_for_approval",
      "ask c1",
      "→ executing_tool",
      "starting c1",
      "completed c1",
      "result c1 completed",
      "→ processing_result",
      "→ thinking",
    ]);
    expect(ofType(events, "approval_request")[0]).toMatchObject({
      summary: "write_file a",
      riskLevel: "medium",
      reason: "everything asks",
      timeout: 300_000,
      request: { parameters: { path: "a" } },
    });
    expect(ofType(events, "tool_result")[0]?.permission).toEqual({
      allowed: true,
      reason: "The user approved it.",
      source: "answer",
      decidedAt: "2026-01-01T00:00:04.000Z",
      decisionDuration: 4_000,
    });
  });

  it("does not run when it is denied, and the model reads why", async () => {
    const kit = askingKit();
    const { events, messages } = await runAnswering(kit, (event) => deny(event, "Use b instead."));
    expect(kit.ran).toEqual([]);
    expect(outline(events).slice(6, 12)).toEqual([
      "→ waiting_for_approval",
      "ask c1",
      "→ thinking",
      "result c1 denied",
      "→ thinking",
      "iteration 2/100",
    ]);
    expect(messages[2]).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining("Use b instead.") }],
    });
    expect(events.at(-1)).toMatchObject({ reason: "finished", toolCallsExecuted: 0 });
  });

  it("ends the request when it is cancelled there", async () => {
    const kit = askingKit();
    const { events, messages } = await runAnswering(kit, (event) => cancel(event));
    expect(kit.ran).toEqual([]);
    expect(outline(events).slice(-3)).toEqual(["ask c1", "→ cancelled", "complete cancelled"]);
    expect(messages.at(-1)).toMatchObject({ role: "tool", callId: "c1", isError: true });
  });

  it("is denied when nobody answers in time", async () => {
    const kit = askingKit({ settings: { approvalTimeoutMs: 30_000 } });
    const { events } = await runAnswering(
      kit,
      () => void queueMicrotask(() => setImmediate(() => kit.clock.advance(30_000))),
    );
    expect(kit.ran).toEqual([]);
    expect(ofType(events, "tool_result")[0]).toMatchObject({
      status: "denied",
      permission: { source: "timeout", allowed: false, reason: "Nobody answered within 30 s." },
    });
    expect(await kit.agent.provideApproval("c1", { approved: true })).toMatchObject({
      accepted: false,
      why: "expired",
    });
  });

  it("does not spend the request's time while it waits", async () => {
    const kit = askingKit({ settings: { requestTimeoutMs: 120_000, approvalTimeoutMs: 900_000 } });
    const { events } = await runAnswering(kit, (event) => {
      kit.clock.advance(800_000);
      return approve(event);
    });
    expect(events.at(-1)).toMatchObject({ reason: "finished", totalDuration: 800_000 });
  });

  it("says what to look at", async () => {
    const { tool } = recordingTool();
    const kit = askingKit({
      tools: [{ ...tool, detailsOf: () => ["File: a"] }],
      policy: {
        judge: () => ({
          answer: "ask",
          reason: "r",
          source: "built_in",
          details: ["Part: x"],
          warnings: ["It is gone for good."],
        }),
      },
    });
    const { events } = await runAnswering(kit, (event) => approve(event));
    expect(ofType(events, "approval_request")[0]).toMatchObject({
      details: ["File: a", "Part: x"],
      warnings: ["It is gone for good."],
    });
  });
});

describe("a changed call", () => {
  it("runs with the new parameters, and the model is told", async () => {
    const kit = askingKit();
    const { events, messages } = await runAnswering(kit, (event) =>
      approve(event, { modifiedParameters: { path: "b" } }),
    );
    expect(kit.ran).toEqual([{ path: "b" }]);
    expect(ofType(events, "tool_result")[0]).toMatchObject({
      modifiedParameters: { path: "b" },
      status: "completed",
    });
    expect(messages[1]).toMatchObject({ content: [{ call: { arguments: { path: "a" } } }] });
    expect(messages[2]).toMatchObject({
      content: [{ text: 'wrote b\n[The user changed the arguments before it ran: {"path":"b"}]' }],
    });
  });

  it("must be valid; the question stays open until it is", async () => {
    const kit = askingKit();
    await runAnswering(kit, async (event) => {
      expect(await approve(event, { modifiedParameters: { pth: "b" } })).toMatchObject({
        accepted: false,
        why: "invalid_parameters",
        reason: expect.stringContaining("`path` is required"),
      });
      expect(kit.agent.state).toBe("waiting_for_approval");
      expect(await approve(event, { modifiedParameters: { path: "c" } })).toEqual({ accepted: true });
    });
    expect(kit.ran).toEqual([{ path: "c" }]);
  });

  it("is judged again: what the policy denies does not run", async () => {
    const policy: Policy = {
      judge: ({ parameters }) => ({
        answer: parameters.path === "secret" ? "deny" : "ask",
        reason: `about ${String(parameters.path)}`,
        source: "user",
      }),
    };
    const kit = askingKit({ policy });
    await runAnswering(kit, async (event) => {
      expect(await approve(event, { modifiedParameters: { path: "secret" } })).toEqual({
        accepted: false,
        why: "denied_by_policy",
        reason: "about secret",
      });
      await deny(event);
    });
    expect(kit.ran).toEqual([]);
  });

  it("holds back other answers while it is checked", async () => {
    const release = Promise.withResolvers<void>();
    const policy: Policy = {
      judge: async ({ parameters }) => {
        if (parameters.path === "b") await release.promise;
        return { answer: "ask", reason: "r", source: "user" };
      },
    };
    const kit = askingKit({ policy });
    await runAnswering(kit, async (event) => {
      const first = approve(event, { modifiedParameters: { path: "b" } });
      const second = deny(event);
      release.resolve();
      expect(await Promise.all([first, second])).toMatchObject([
        { accepted: true },
        { why: "already_answered" },
      ]);
    });
    expect(kit.ran).toEqual([{ path: "b" }]);
  });
});

describe("remembering", () => {
  const remembered: [ApprovalDecision, boolean][] = [
    [{ approved: true }, false],
    [{ approved: true, remember: { scope: "once" } }, false],
    [{ approved: true, remember: { scope: "session" } }, true],
    [{ approved: true, remember: { scope: "tool" } }, true],
    [{ approved: true, remember: { scope: "pattern", pattern: "src/**" } }, true],
    [{ approved: false, remember: { scope: "session" } }, true],
  ];
  it.each(remembered)("of %j reaches the policy: %s", async (decision, expected) => {
    const kept: [PolicyCall, ApprovalDecision][] = [];
    const policy: Policy = { ...askAll, remember: (call, answer) => void kept.push([call, answer]) };
    const kit = askingKit({ policy });
    const { events } = await runAnswering(kit, (event) =>
      kit.agent.provideApproval(event.request.id, decision),
    );
    expect(kept).toMatchObject(
      expected ? [[{ toolId: "write_file", parameters: { path: "a" } }, decision]] : [],
    );
    if (decision.remember) {
      expect(ofType(events, "tool_result")[0]?.permission).toMatchObject({ remember: decision.remember });
    }
  });

  it("counts for the next call of the same answer", async () => {
    const { tool, ran } = recordingTool();
    let granted = false;
    const policy: Policy = {
      judge: () => ({ answer: granted ? "allow" : "ask", reason: "r", source: "session" }),
      remember: () => {
        granted = true;
      },
    };
    const kit = createKit(
      [[calls("write_file", { path: "a" }, "1"), calls("write_file", { path: "b" }, "2")], [says("ok")]],
      { tools: [tool], policy, approver: "events" },
    );
    const { events } = await runToEnd(kit.agent, {}, (event) =>
      event.type === "approval_request" ? approve(event, { remember: { scope: "session" } }) : undefined,
    );
    expect(ofType(events, "approval_request")).toHaveLength(1);
    expect(ran).toHaveLength(2);
  });

  it("that fails is said and stops nothing", async () => {
    const policy: Policy = { ...askAll, remember: () => Promise.reject(new Error("disk full")) };
    const kit = askingKit({ policy });
    const { events } = await runAnswering(kit, (event) => approve(event, { remember: { scope: "tool" } }));
    expect(ofType(events, "agent_error")).toMatchObject([{ category: "permission_error", isFatal: false }]);
    expect(kit.ran).toHaveLength(1);
  });
});

describe("a function that answers", () => {
  it("is asked, and its answer taken", async () => {
    const kit = askingKit({ approver: (event) => ({ approved: event.riskLevel === "medium" }) });
    await runToEnd(kit.agent);
    expect(kit.ran).toHaveLength(1);
  });

  it("denies when it throws", async () => {
    const kit = askingKit({ approver: () => Promise.reject(new Error("no terminal")) });
    const { events } = await runToEnd(kit.agent);
    expect(ofType(events, "tool_result")[0]?.result.content).toContain("no terminal");
    expect(kit.ran).toEqual([]);
  });

  it("denies when what it changed is not valid", async () => {
    const kit = askingKit({ approver: () => ({ approved: true, modifiedParameters: {} }) });
    const { events } = await runToEnd(kit.agent);
    expect(ofType(events, "tool_result")[0]).toMatchObject({ status: "denied" });
  });

  it("that answers when all is over does no harm", async () => {
    const late = Promise.withResolvers<ApprovalDecision>();
    const kit = askingKit({ approver: () => late.promise });
    const running = runToEnd(kit.agent);
    await settle();
    kit.clock.advance(300_000);
    await running;
    late.resolve({ approved: true });
    await settle();
    expect(kit.ran).toEqual([]);
  });

  it("is not waited for when time is up, and hears of it", async () => {
    let heard = false;
    const kit = askingKit({
      approver: (_event, signal) =>
        new Promise(() => {
          signal.addEventListener("abort", () => {
            heard = true;
          });
        }),
    });
    const running = runToEnd(kit.agent);
    await settle();
    kit.clock.advance(300_000);
    const { events } = await running;
    expect(ofType(events, "tool_result")[0]?.permission?.source).toBe("timeout");
    expect(heard).toBe(true);
  });
});
