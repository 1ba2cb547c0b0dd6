import { describe, expect, it } from "vitest";
import * as state from "./agent-state.ts";

const groups: [string, (state: state.AgentState) => boolean, state.AgentState[]][] = [
  ["terminal", state.isTerminalState, ["cancelled", "error", "completed"]],
  [
    "active",
    state.isActive,
    ["initializing", "thinking", "parsing_tool_call", "executing_tool", "processing_result", "responding"],
  ],
  ["waiting", state.isWaiting, ["idle", "waiting_for_approval"]],
  ["generating", state.isGenerating, ["thinking", "responding"]],
  [
    "about tools",
    state.isToolRelated,
    ["parsing_tool_call", "waiting_for_approval", "executing_tool", "processing_result"],
  ],
  ["ready for a request", state.canAcceptRequest, ["idle"]],
  ["ready for input", state.canAcceptInput, ["idle", "waiting_for_approval"]],
  ["awaiting the user", state.isAwaitingUserInput, ["waiting_for_approval"]],
  [
    "cancellable",
    state.isCancellable,
    [
      "initializing",
      "thinking",
      "parsing_tool_call",
      "waiting_for_approval",
      "executing_tool",
      "processing_result",
      "responding",
    ],
  ],
  [
    "shown with a spinner",
    state.showsSpinner,
    ["initializing", "thinking", "parsing_tool_call", "executing_tool", "processing_result", "responding"],
  ],
];

it("has eleven states and eleven transitions", () => {
  expect(state.agentStates).toHaveLength(11);
  expect(state.agentTransitions).toHaveLength(11);
});

it.each(groups)("these states are %s", (_name, query, states) => {
  expect(state.agentStates.filter(query)).toEqual(states);
});

describe("display", () => {
  it("shows every state as text and icon", () => {
    expect(state.agentStates.map((one) => `${state.displayIcon(one)} ${state.displayText(one)}`)).toEqual([
      "⏸️ Ready",
      "🔄 Preparing...",
      "🤔 Thinking...",
      "🔍 Analyzing tool call...",
      "❓ Waiting for approval",
      "⚙️ Running tool...",
      "📊 Processing result...",
      "✍️ Composing response...",
      "⛔ Cancelled",
      "❌ Error",
      "✅ Complete",
    ]);
  });

  it("describes every transition", () => {
    expect(state.agentTransitions.map(state.transitionText)).toEqual([
      "Starting request processing",
      "Beginning LLM generation",
      "Tool call detected",
      "Requesting user approval",
      "Approval granted",
      "Approval denied",
      "Tool execution complete",
      "No tools needed",
      "Response complete",
      "Request cancelled",
      "Processing failed",
    ]);
  });

  it("knows which transitions succeed and which fail", () => {
    expect(state.agentTransitions.filter(state.isSuccessTransition)).toEqual([
      "approval_granted",
      "tool_complete",
      "complete",
    ]);
    expect(state.agentTransitions.filter(state.isFailureTransition)).toEqual(["cancel", "fail"]);
  });
});
