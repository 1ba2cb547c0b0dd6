import { describe, expect, it } from "vitest";
import type {
  AgentEvent,
  AgentIterationEvent,
  ApprovalRequestEvent,
  ToolCallRequestEvent,
  ToolResultEvent,
} from "./agent-event.ts";
import * as queries from "./event-queries.ts";
import { exampleEvents } from "./testing/example-events.ts";

describe("summaries", () => {
  it("say in one line what happened", () => {
    expect(exampleEvents.map(queries.summaryOf)).toEqual([
      "Iteration 2/10 (prev tools: 1)",
      'Token: "Hello" (thinking: false)',
      "Tool call: Write file (1/2)",
      "Approval needed: Write file (medium)",
      "Tool Write file: in_progress (25%)",
      "Tool Write file succeeded (120ms)",
      "Error (llm_error): The provider is overloaded. [FATAL]",
      "Complete: 2 iterations, 1 tools, 3.2s",
      "StateChange: thinking -> parsing_tool_call via detect_tool_call [Iter: 2, Duration: 812ms]",
    ]);
  });

  const rows: [Partial<AgentEvent>, string][] = [
    [{ type: "text_generation", isComplete: true, tokenCount: 7 }, "Generation complete (7 tokens)"],
    [
      { type: "text_generation", token: 'a "long" line\nand more of it', isThinking: true },
      'Token: "a \\"long\\" line\\nand m…" (thinking: true)',
    ],
    [{ type: "agent_iteration", iterationNumber: 1, toolCallsInPreviousIteration: 0 }, "Iteration 1/10"],
    [{ type: "agent_error", isFatal: false, error: "x".repeat(60) }, `Error (llm_error): ${"x".repeat(49)}…`],
  ];
  it.each(rows)("of %j", (change, summary) => {
    expect(queries.summaryOf(changed(change))).toBe(summary);
  });

  it("leave out what is absent", () => {
    const { progress: _, ...execution } = byType("tool_execution");
    expect(queries.summaryOf(execution)).toBe("Tool Write file: in_progress");
    const { duration: __, ...change } = byType("state_changed");
    expect(queries.summaryOf(change)).toBe(
      "StateChange: thinking -> parsing_tool_call via detect_tool_call [Iter: 2]",
    );
  });

  it("say that a tool failed", () => {
    const result = byType("tool_result");
    expect(queries.summaryOf({ ...result, result: { ok: false, content: "no" } })).toBe(
      "Tool Write file failed (120ms)",
    );
  });
});

it("ends are completions and fatal errors", () => {
  expect(exampleEvents.filter(queries.isTerminal).map((event) => event.type)).toEqual([
    "agent_error",
    "agent_complete",
  ]);
  expect(queries.isTerminal({ ...byType("agent_error"), isFatal: false })).toBe(false);
});

it("only approvals need the user", () => {
  expect(exampleEvents.filter(queries.requiresUserInput).map((event) => event.type)).toEqual([
    "approval_request",
  ]);
});

it("know their age", () => {
  expect(queries.ageOf(byType("agent_error"), Date.parse("2026-01-01T00:00:05.000Z"))).toBe(5_000);
});

it("iterations know how many remain", () => {
  const event: AgentIterationEvent = byType("agent_iteration");
  expect([queries.remainingIterations(event), queries.isFinalIteration(event)]).toEqual([8, false]);
  const last = { ...event, iterationNumber: 10 };
  expect([queries.remainingIterations(last), queries.isFinalIteration(last)]).toEqual([0, true]);
});

it("calls know their place", () => {
  const event: ToolCallRequestEvent = byType("tool_call_request");
  expect([queries.isSingleCall(event), queries.isLastCall(event)]).toEqual([false, false]);
  expect(queries.isLastCall({ ...event, callIndex: 1 })).toBe(true);
  expect(queries.isSingleCall({ ...event, totalCalls: 1 })).toBe(true);
});

it("approvals expire", () => {
  const event: ApprovalRequestEvent = byType("approval_request");
  const start = Date.parse(event.timestamp);
  expect(queries.expiresAt(event)).toBe(start + 300_000);
  expect([queries.isExpired(event, start + 299_999), queries.isExpired(event, start + 300_000)]).toEqual([
    false,
    true,
  ]);
  expect(queries.timeRemaining(event, start + 299_000)).toBe(1_000);
  expect(queries.timeRemaining(event, start + 400_000)).toBe(0);
});

it("results are shown by their beginning", () => {
  const event: ToolResultEvent = byType("tool_result");
  const showing = (content: string) => queries.displayResult({ ...event, result: { ok: true, content } });
  expect([showing(""), showing("short")]).toEqual(["(no data)", "short"]);
  expect(showing("x".repeat(501))).toBe(`${"x".repeat(499)}…`);
  expect(showing(`${"x".repeat(498)}😀${"x".repeat(10)}`)).toBe(`${"x".repeat(498)}…`);
});

it("usage has an average", () => {
  const [usage] = byType("agent_complete").toolUsage;
  if (!usage) throw new Error("the example has a tool");
  expect(queries.averageDuration({ ...usage, invocationCount: 4, totalDuration: 10 })).toBe(2.5);
  expect(queries.averageDuration({ ...usage, invocationCount: 0 })).toBe(0);
});

function byType<Type extends AgentEvent["type"]>(type: Type): Extract<AgentEvent, { type: Type }> {
  const found = exampleEvents.find(
    (event): event is Extract<AgentEvent, { type: Type }> => event.type === type,
  );
  if (!found) throw new Error(`There is no example of ${type}.`);
  return found;
}

function changed(change: Partial<AgentEvent>): AgentEvent {
  const example = exampleEvents.find((event) => event.type === change.type);
  return JSON.parse(JSON.stringify({ ...example, ...change }));
}
