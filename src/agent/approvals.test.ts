import { describe, expect, it } from "vitest";
import type { AgentEvent, ApprovalRequestEvent } from "./agent-event.ts";
import { approve, deny } from "./answer-approval.ts";
import { UnknownApproval } from "./approvals.ts";
import { askAll, calls, createKit, ofType, runToEnd, says } from "./testing/agent-kit.ts";
import { askingKit, recordingTool, runAnswering } from "./testing/asking-kit.ts";

describe("an answer", () => {
  it("counts once: the first wins, later ones are told", async () => {
    const kit = askingKit();
    await runAnswering(kit, async () => {
      const receipts = await Promise.all([
        kit.agent.provideApproval("c1", { approved: false }),
        kit.agent.provideApproval("c1", { approved: true }),
      ]);
      expect(receipts).toMatchObject([{ accepted: true }, { accepted: false, why: "already_answered" }]);
    });
    expect(kit.ran).toEqual([]);
    expect(await kit.agent.provideApproval("c1", { approved: true })).toMatchObject({
      why: "already_answered",
    });
  });

  it("to a question nobody asked is an error", async () => {
    const kit = askingKit();
    await expect(kit.agent.provideApproval("c1", { approved: true })).rejects.toThrow(UnknownApproval);
    await runAnswering(kit, async (event) => {
      await expect(kit.agent.provideApproval("other", { approved: true })).rejects.toThrow(UnknownApproval);
      await expect(approve(JSON.parse(JSON.stringify(event)))).rejects.toThrow(UnknownApproval);
      await approve(event);
    });
    expect(kit.ran).toHaveLength(1);
  });

  it("cannot reach a later call that has the same id", async () => {
    const { tool, ran } = recordingTool();
    const kit = createKit(
      [[calls("write_file", { path: "a" }, "0")], [calls("write_file", { path: "b" }, "0")], [says("ok")]],
      { tools: [tool], policy: askAll, approver: "events" },
    );
    const asked: string[] = [];
    await runToEnd(kit.agent, {}, async (event) => {
      if (event.type !== "approval_request") return;
      asked.push(event.request.id);
      if (asked.length === 1) return approve(event);
      expect(await kit.agent.provideApproval("0", { approved: true })).toMatchObject({
        why: "already_answered",
      });
      return deny(event);
    });
    expect(asked).toEqual(["0", "0_2"]);
    expect(ran).toEqual([{ path: "a" }]);
  });

  it("cannot reach a call of a later request that has the same id", async () => {
    const { tool, ran } = recordingTool();
    const call = calls("write_file", { path: "a" }, "0");
    const kit = createKit([[call], [says("ok")], [call], [says("ok")]], {
      tools: [tool],
      policy: askAll,
      approver: "events",
    });
    let old: ApprovalRequestEvent | undefined;
    const watch = async (event: AgentEvent) => {
      if (event.type !== "approval_request") return;
      if (!old) {
        old = event;
        return deny(event);
      }
      expect(await approve(old)).toMatchObject({ accepted: false, why: "already_answered" });
      expect(event.request.id).toBe("0_2");
      return deny(event);
    };
    await runToEnd(kit.agent, {}, watch);
    await runToEnd(kit.agent, {}, watch);
    expect(ran).toEqual([]);
  });

  it("may come from a subscriber while it is handed the event", async () => {
    const kit = askingKit();
    kit.agent.events.on("approval_request", (event) => approve(event));
    const { events } = await runToEnd(kit.agent);
    expect(ofType(events, "tool_result")[0]?.status).toBe("completed");
  });
});
