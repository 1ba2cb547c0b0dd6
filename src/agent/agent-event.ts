import type { JsonObject } from "../model/json.ts";
import type { Usage } from "../model/usage.ts";
import type { ApprovalSource, Remember } from "../policy/approval-decision.ts";
import type { RuleSource } from "../policy/policy-decision.ts";
import type { RiskLevel } from "../policy/risk-level.ts";
import type { ToolProgress } from "../tools/tool-progress.ts";
import type { ToolResult } from "../tools/tool-result.ts";
import type { AgentState, AgentTransition } from "./agent-state.ts";
import type { ToolCallEnd, ToolCallRequest } from "./tool-call-lifecycle.ts";

/**
 * The version of the format below, which `docs/events.md` describes. A new optional field or a new type keeps it; a
 * removed, renamed or re-interpreted one raises it.
 */
export const agentEventFormatVersion = 1;

export const agentEventTypes = [
  "agent_iteration",
  "text_generation",
  "tool_call_request",
  "approval_request",
  "tool_execution",
  "tool_result",
  "agent_error",
  "agent_complete",
  "state_changed",
] as const;

export type AgentEventType = (typeof agentEventTypes)[number];

/** What all events have. */
export type EventBase<Type extends AgentEventType> = {
  readonly eventId: string;
  readonly type: Type;
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  /** The same for all events of one request. */
  readonly requestId: string;
  /** 1-based; 0 before the model is first asked. */
  readonly iterationNumber: number;
};

/** The model is about to be asked. */
export type AgentIterationEvent = EventBase<"agent_iteration"> & {
  readonly maxIterations: number;
  readonly toolCallsInPreviousIteration: number;
  readonly totalToolCallsExecuted: number;
  /** Milliseconds since the request began. */
  readonly elapsedTime: number;
};

/** A piece of text or thinking. The last one of each answer is empty and complete. */
export type TextGenerationEvent = EventBase<"text_generation"> & {
  readonly token: string;
  readonly isComplete: boolean;
  /** Pieces the model has sent so far in this answer. */
  readonly tokenCount: number;
  readonly isThinking: boolean;
  /** Counts the events of this answer, from 0. */
  readonly sequenceIndex: number;
  /** The model's id. */
  readonly source: string;
};

/** The model asks for a call. Sent when its answer is whole, one for each call. */
export type ToolCallRequestEvent = EventBase<"tool_call_request"> & {
  readonly request: ToolCallRequest;
  /** 0-based. */
  readonly callIndex: number;
  readonly totalCalls: number;
};

/** A call waits for `provideApproval(request.id, …)`. */
export type ApprovalRequestEvent = EventBase<"approval_request"> & {
  readonly request: ToolCallRequest;
  readonly summary: string;
  readonly riskLevel: RiskLevel;
  /** Why it is not simply allowed. */
  readonly reason: string;
  readonly details?: readonly string[];
  readonly warnings?: readonly string[];
  /** Rules that would allow this call and its like from now on: what "always" would keep. */
  readonly suggestedRules?: readonly string[];
  /** Milliseconds from `timestamp`; then it counts as denied. */
  readonly timeout: number;
};

export type ToolExecutionStatus =
  | "starting"
  | "in_progress"
  | "completed"
  | "failed"
  | "cancelled"
  | "timed_out";

export type ToolExecutionEvent = EventBase<"tool_execution"> & {
  readonly callId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly status: ToolExecutionStatus;
  readonly progress?: ToolProgress;
  readonly statusMessage?: string;
  /** Milliseconds since the call started; absent on `starting`. */
  readonly elapsed?: number;
};

/** Why a call was let through or not. */
export type CallPermission = {
  readonly allowed: boolean;
  readonly reason: string;
  readonly source: RuleSource | ApprovalSource;
  readonly rule?: string;
  readonly remember?: Remember;
  /** ISO 8601. */
  readonly decidedAt: string;
  /** Milliseconds a person took; absent when nobody was asked. */
  readonly decisionDuration?: number;
};

/** What is left of a result that was too long. */
export type CutResult = {
  readonly totalTokens: number;
  readonly keptTokens: number;
  /** Where the whole can be read. */
  readonly storedAt?: string;
};

/** A call has ended, whether it ran or not. Results come in the order of the calls. */
export type ToolResultEvent = EventBase<"tool_result"> & {
  readonly callId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly status: ToolCallEnd;
  /** As the model gets it. */
  readonly result: ToolResult;
  /** Milliseconds the call ran; 0 when it never did. */
  readonly duration: number;
  /** Absent when it never came to a judgement. */
  readonly permission?: CallPermission;
  /** What ran instead of what the model asked for. */
  readonly modifiedParameters?: JsonObject;
  readonly cut?: CutResult;
};

export const agentErrorCategories = [
  "llm_error",
  "tool_error",
  "parsing_error",
  "permission_error",
  "timeout_error",
  "cancellation_error",
  "unknown",
] as const;

export type AgentErrorCategory = (typeof agentErrorCategories)[number];

export type AgentErrorDetails = {
  readonly error: string;
  /** Ends the request. */
  readonly isFatal: boolean;
  readonly category: AgentErrorCategory;
  /** For programs: `rate_limit`, `request_timeout`. */
  readonly errorCode: string;
  readonly recoveryHint: string;
  /** The same request may succeed later. */
  readonly isTransient: boolean;
  /** How long the provider asks to wait, in milliseconds. */
  readonly retryAfter?: number;
  readonly exception?: { readonly name: string; readonly message: string };
};

export type AgentErrorEvent = EventBase<"agent_error"> & AgentErrorDetails;

export const completionReasons = ["finished", "max_iterations", "cancelled", "error", "timeout"] as const;

export type CompletionReason = (typeof completionReasons)[number];

export type ToolUsageSummary = {
  readonly toolId: string;
  readonly toolName: string;
  readonly invocationCount: number;
  readonly successCount: number;
  readonly failureCount: number;
  /** Milliseconds. */
  readonly totalDuration: number;
};

/** The last event of every request. */
export type AgentCompleteEvent = EventBase<"agent_complete"> & {
  readonly reason: CompletionReason;
  /** The text of the last answer, as far as it got. */
  readonly finalResponse: string;
  /** Calls that ran, whatever came of them. */
  readonly toolCallsExecuted: number;
  readonly totalIterations: number;
  /** Milliseconds. */
  readonly totalDuration: number;
  readonly wasCancelled: boolean;
  /** Generated tokens: the provider's count, or the pieces received where it gives none. */
  readonly totalTokens: number;
  /** Of all answers together. */
  readonly usage: Usage;
  readonly toolUsage: readonly ToolUsageSummary[];
};

export type StateChangedEvent = EventBase<"state_changed"> & {
  readonly previousState: AgentState;
  readonly currentState: AgentState;
  readonly transition: AgentTransition;
  readonly context?: string;
  /** Milliseconds spent in the previous state; absent when that was `idle`. */
  readonly duration?: number;
};

/** What happens while an agent works. Plain JSON: what can be computed from an event is a function, not a field. */
export type AgentEvent =
  | AgentIterationEvent
  | TextGenerationEvent
  | ToolCallRequestEvent
  | ApprovalRequestEvent
  | ToolExecutionEvent
  | ToolResultEvent
  | AgentErrorEvent
  | AgentCompleteEvent
  | StateChangedEvent;

export type AgentEventOf<Type extends AgentEventType> = Extract<AgentEvent, { readonly type: Type }>;
