import { expect, it } from "vitest";
import { failed, succeeded } from "../tools/tool-result.ts";
import { approve, cancel, deny } from "./answer-approval.ts";
import { askAll, calls, createKit, runToEnd, says } from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";
import { ToolCallTracker } from "./tool-call-tracker.ts";

const tool = aTool({ run: ({ path }) => (path === "bad" ? failed("no such file") : succeeded("seen")) });

function kitCalling(...paths: string[]) {
  const answer = paths.map((path) => calls("read_file", path === "wrong" ? {} : { path }, path));
  return createKit([answer, [says("ok")]], { tools: [tool], policy: askAll, approver: "events" });
}

it("follows a call through its life", async () => {
  const { agent, clock } = kitCalling("a");
  const tracker = new ToolCallTracker();
  const statuses: string[] = [];
  await runToEnd(agent, {}, (event) => {
    clock.advance(10);
    tracker.add(event);
    const status = tracker.calls()[0]?.status;
    if (status && statuses.at(-1) !== status) statuses.push(status);
    return event.type === "approval_request" ? approve(event) : undefined;
  });
  expect(statuses).toEqual(["parsed", "awaiting_approval", "approved", "executing", "completed"]);
  expect(tracker.calls()[0]).toMatchObject({
    request: { id: "a" },
    permission: { source: "answer", allowed: true },
    result: { ok: true, content: "seen" },
    executionStarted: expect.stringContaining("2026-01-01T"),
    executionCompleted: expect.stringContaining("2026-01-01T"),
    duration: expect.any(Number),
  });
});

it("knows how each call ended", async () => {
  const { agent } = kitCalling("ok", "bad", "wrong", "no");
  const tracker = new ToolCallTracker();
  await runToEnd(agent, {}, (event) => {
    tracker.add(event);
    if (event.type !== "approval_request") return;
    return event.request.id === "no" ? deny(event, "not now") : approve(event);
  });
  expect(
    tracker.calls().map(({ request, status, errorMessage }) => [request.id, status, errorMessage]),
  ).toEqual([
    ["ok", "completed", undefined],
    ["bad", "failed", "no such file"],
    ["wrong", "validation_failed", expect.stringContaining("`path` is required")],
    ["no", "denied", expect.stringContaining("not now")],
  ]);
});

it("counts what never came to an end as cancelled", async () => {
  const { agent } = kitCalling("a", "b");
  const tracker = new ToolCallTracker();
  await runToEnd(agent, {}, (event) => {
    tracker.add(event);
    if (event.type !== "approval_request") return;
    return event.request.id === "a" ? approve(event) : cancel(event);
  });
  expect(tracker.calls().map((call) => call.status)).toEqual(["cancelled", "cancelled"]);
});
