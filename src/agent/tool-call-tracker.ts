import type { ToolResult } from "../tools/tool-result.ts";
import type { AgentEvent, CallPermission, ToolExecutionEvent } from "./agent-event.ts";
import type { ToolCallRequest, ToolCallStatus } from "./tool-call-lifecycle.ts";

/** A call from request to end, as far as events have told of it. */
export type ToolCallLifecycle = {
  readonly request: ToolCallRequest;
  readonly status: ToolCallStatus;
  readonly permission?: CallPermission;
  readonly result?: ToolResult;
  /** ISO 8601. */
  readonly executionStarted?: string;
  readonly executionCompleted?: string;
  /** Milliseconds. */
  readonly duration?: number;
  readonly errorMessage?: string;
};

/** Follows the calls of a run through its events: what a terminal or a page shows of them. */
export class ToolCallTracker {
  readonly #calls = new Map<string, ToolCallLifecycle>();
  #asked: string | undefined;

  /** In the order they were asked for. */
  calls(): readonly ToolCallLifecycle[] {
    return [...this.#calls.values()];
  }

  add(event: AgentEvent): void {
    switch (event.type) {
      case "tool_call_request": {
        const { request } = event;
        const status = request.validationResult.isValid ? "parsed" : "validation_failed";
        this.#calls.set(request.id, { request, status });
        break;
      }
      case "approval_request":
        this.#asked = event.request.id;
        this.#change(event.request.id, { status: "awaiting_approval" });
        break;
      case "state_changed":
        // One question is open at a time, so that the answer belongs to the call last asked about.
        if (event.previousState !== "waiting_for_approval" || this.#asked === undefined) break;
        if (event.transition === "approval_granted") this.#change(this.#asked, { status: "approved" });
        if (event.transition === "approval_denied") this.#change(this.#asked, { status: "denied" });
        break;
      case "tool_execution":
        this.#change(event.callId, executionChange(event));
        break;
      case "tool_result": {
        const { status, result, duration, permission } = event;
        this.#change(event.callId, {
          status,
          result,
          duration,
          ...(permission ? { permission } : {}),
          ...(result.ok ? {} : { errorMessage: result.content }),
        });
        break;
      }
      case "agent_complete":
        for (const [id, { result }] of this.#calls) if (!result) this.#change(id, { status: "cancelled" });
        break;
      case "agent_iteration":
      case "text_generation":
      case "agent_error":
        break;
    }
  }

  #change(callId: string, change: Partial<ToolCallLifecycle>): void {
    const call = this.#calls.get(callId);
    if (call) this.#calls.set(callId, { ...call, ...change });
  }
}

function executionChange({ status, timestamp }: ToolExecutionEvent): Partial<ToolCallLifecycle> {
  if (status === "starting") return { status: "executing", executionStarted: timestamp };
  return status === "in_progress" ? { status: "executing" } : { status, executionCompleted: timestamp };
}
