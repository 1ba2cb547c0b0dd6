import { assertNever } from "../model/assert-never.ts";
import { progressPercentage } from "../tools/tool-progress.ts";
import type {
  AgentEvent,
  AgentIterationEvent,
  ApprovalRequestEvent,
  ToolCallRequestEvent,
  ToolResultEvent,
  ToolUsageSummary,
} from "./agent-event.ts";

/** Nothing is done for the request after this event; `agent_complete` still follows a fatal error. */
export function isTerminal(event: AgentEvent): boolean {
  return event.type === "agent_complete" || (event.type === "agent_error" && event.isFatal);
}

export function requiresUserInput(event: AgentEvent): event is ApprovalRequestEvent {
  return event.type === "approval_request";
}

/** Milliseconds. */
export function ageOf(event: AgentEvent, now = Date.now()): number {
  return now - Date.parse(event.timestamp);
}

export function isFinalIteration(event: AgentIterationEvent): boolean {
  return event.iterationNumber >= event.maxIterations;
}

export function remainingIterations(event: AgentIterationEvent): number {
  return Math.max(0, event.maxIterations - event.iterationNumber);
}

export function isSingleCall(event: ToolCallRequestEvent): boolean {
  return event.totalCalls === 1;
}

export function isLastCall(event: ToolCallRequestEvent): boolean {
  return event.callIndex === event.totalCalls - 1;
}

/** Milliseconds since the epoch. */
export function expiresAt(event: ApprovalRequestEvent): number {
  return Date.parse(event.timestamp) + event.timeout;
}

export function isExpired(event: ApprovalRequestEvent, now = Date.now()): boolean {
  return now >= expiresAt(event);
}

/** Milliseconds; never negative. */
export function timeRemaining(event: ApprovalRequestEvent, now = Date.now()): number {
  return Math.max(0, expiresAt(event) - now);
}

/** The beginning of a result, for a line or two of display. */
export function displayResult(event: ToolResultEvent): string {
  return event.result.content === "" ? "(no data)" : truncate(event.result.content, 500);
}

/** Milliseconds. */
export function averageDuration(usage: ToolUsageSummary): number {
  return usage.invocationCount > 0 ? usage.totalDuration / usage.invocationCount : 0;
}

/** One line for a log. */
export function summaryOf(event: AgentEvent): string {
  switch (event.type) {
    case "agent_iteration": {
      const { iterationNumber, maxIterations, toolCallsInPreviousIteration: before } = event;
      return `Iteration ${iterationNumber}/${maxIterations}${before > 0 ? ` (prev tools: ${before})` : ""}`;
    }
    case "text_generation":
      return event.isComplete
        ? `Generation complete (${event.tokenCount} tokens)`
        : `Token: ${JSON.stringify(truncate(event.token, 20))} (thinking: ${event.isThinking})`;
    case "tool_call_request":
      return `Tool call: ${event.request.toolName} (${event.callIndex + 1}/${event.totalCalls})`;
    case "approval_request":
      return `Approval needed: ${event.request.toolName} (${event.riskLevel})`;
    case "tool_execution": {
      const progress = event.progress ? ` (${progressPercentage(event.progress)}%)` : "";
      return `Tool ${event.toolName}: ${event.status}${progress}`;
    }
    case "tool_result": {
      const outcome = event.result.ok ? "succeeded" : "failed";
      return `Tool ${event.toolName} ${outcome} (${event.duration.toFixed(0)}ms)`;
    }
    case "agent_error":
      return `Error (${event.category}): ${truncate(event.error, 50)}${event.isFatal ? " [FATAL]" : ""}`;
    case "agent_complete": {
      const seconds = (event.totalDuration / 1_000).toFixed(1);
      return `Complete: ${event.totalIterations} iterations, ${event.toolCallsExecuted} tools, ${seconds}s`;
    }
    case "state_changed": {
      const duration = event.duration === undefined ? "" : `, Duration: ${event.duration.toFixed(0)}ms`;
      const { previousState, currentState, transition, iterationNumber } = event;
      return `StateChange: ${previousState} -> ${currentState} via ${transition} [Iter: ${iterationNumber}${duration}]`;
    }
    default:
      return assertNever(event);
  }
}

function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
