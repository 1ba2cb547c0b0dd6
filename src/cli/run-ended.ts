import type { AgentErrorDetails, CompletionReason } from "../agent/agent-event.ts";

/** The request ended without an answer, and the model's server is not to blame. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
  readonly reason: CompletionReason;
  /** What the agent said of it. */
  readonly details: AgentErrorDetails | undefined;

  constructor(reason: CompletionReason, details?: AgentErrorDetails) {
    super(details?.error ?? reason);
    this.reason = reason;
    this.details = details;
  }
}

/** An error after which there is no answer, or only the beginning of one. Others are told of, and the run goes on. */
export function endsWithoutAnswer({ isFatal, errorCode }: AgentErrorDetails): boolean {
  return isFatal || errorCode === "output_limit" || errorCode === "empty_answer";
}
