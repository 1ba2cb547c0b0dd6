import { ModelError, type ModelErrorKind } from "../model/model-error.ts";
import type { AgentErrorDetails } from "./agent-event.ts";
import type { RequestTimedOut } from "./stop-reason.ts";

const modelHints: Readonly<Record<ModelErrorKind, string>> = {
  overloaded: "The provider is overloaded. Try again in a moment, or choose another model.",
  rate_limit: "Too many requests or a spent quota. Wait, check the plan, or choose another model.",
  context_overflow: "The conversation is longer than the model can read. Compact it or start a new session.",
  auth: "Check the provider's API key and that it may use this model.",
  bad_request:
    "The provider did not accept the request. Check the model's settings, or choose another model.",
  not_found: "The provider does not know this model. Check its name, or choose another one.",
  network: "The provider could not be reached. Check the connection and the address, then try again.",
  cut_off: "The connection ended in the middle of the answer. Try again.",
  refused: "The provider declined to answer. Say it differently, or choose another model.",
  unknown: "Try again or check model connectivity.",
};

/** Any failure of a run, as its event says it. The request itself is over; trying again is up to the caller. */
export function fatalError(error: unknown): AgentErrorDetails {
  if (error instanceof ModelError) {
    return {
      error: error.message,
      isFatal: true,
      category: "llm_error",
      errorCode: error.kind,
      recoveryHint: modelHints[error.kind],
      isTransient: error.transient,
      ...(error.retryAfterMs === undefined ? {} : { retryAfter: error.retryAfterMs }),
      exception: exceptionOf(error),
    };
  }
  return {
    error: messageOf(error),
    isFatal: true,
    category: "unknown",
    errorCode: "internal_error",
    recoveryHint: "This is a fault of the program. Try again, and report it if it comes back.",
    isTransient: false,
    exception: exceptionOf(error),
  };
}

export function requestTimeoutError(reason: RequestTimedOut): AgentErrorDetails {
  return {
    error: `Timeout: ${reason.message}`,
    isFatal: true,
    category: "timeout_error",
    errorCode: "request_timeout",
    recoveryHint: "Request took too long. Try a simpler task, or raise requestTimeoutMs.",
    isTransient: false,
  };
}

/** The provider ended the answer on safety grounds. */
export function refusedError(text: string): AgentErrorDetails {
  return {
    error: text === "" ? "The model refused to answer." : `The model refused to answer: ${text}`,
    isFatal: true,
    category: "llm_error",
    errorCode: "refused",
    recoveryHint: modelHints.refused,
    isTransient: false,
  };
}

export function invalidRequestError(problem: string): AgentErrorDetails {
  return {
    error: problem,
    isFatal: true,
    category: "unknown",
    errorCode: "invalid_request",
    recoveryHint: "Correct the request and send it again.",
    isTransient: false,
  };
}

export function cutAnswerError(): AgentErrorDetails {
  return {
    error: "The answer was cut off: the model reached its output limit.",
    isFatal: false,
    category: "llm_error",
    errorCode: "output_limit",
    recoveryHint: "Ask it to go on, or raise the output limit.",
    isTransient: false,
  };
}

export function emptyAnswerError(): AgentErrorDetails {
  return {
    error: "The model answered with nothing.",
    isFatal: false,
    category: "llm_error",
    errorCode: "empty_answer",
    recoveryHint: "Ask again, or choose another model.",
    isTransient: true,
  };
}

/** The model wrote a call that nobody can read; it is told so. */
export function parsingError(toolName: string, problem: string): AgentErrorDetails {
  return {
    error: `The call of ${toolName} could not be read: ${problem}`,
    isFatal: false,
    category: "parsing_error",
    errorCode: "unreadable_call",
    recoveryHint: "The model is told and may try again.",
    isTransient: false,
  };
}

/** A tool broke its contract by throwing; a failure it reports is a result and no error. */
export function toolError(toolName: string, thrown: unknown): AgentErrorDetails {
  return {
    error: `Tool '${toolName}' failed: ${messageOf(thrown)}`,
    isFatal: false,
    category: "tool_error",
    errorCode: "tool_threw",
    recoveryHint: "The model is told and may try alternatives.",
    isTransient: false,
    exception: exceptionOf(thrown),
  };
}

export function permissionError(toolName: string, thrown: unknown): AgentErrorDetails {
  return {
    error: `The policy failed on ${toolName}: ${messageOf(thrown)}`,
    isFatal: false,
    category: "permission_error",
    errorCode: "policy_threw",
    recoveryHint: "The call was denied. Check the policy's rules.",
    isTransient: false,
    exception: exceptionOf(thrown),
  };
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function exceptionOf(error: unknown): { readonly name: string; readonly message: string } {
  return { name: error instanceof Error ? error.name : typeof error, message: messageOf(error) };
}
