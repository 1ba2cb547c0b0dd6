export const agentStates = [
  /** No request yet, or the machine was reset. */
  "idle",
  /** Building the prompt, choosing the tools. */
  "initializing",
  /** The model generates. */
  "thinking",
  /** A call was seen in the answer; it is validated and judged. */
  "parsing_tool_call",
  /** Paused until somebody answers, or time is up. */
  "waiting_for_approval",
  /** Calls are running. */
  "executing_tool",
  /** Results are made ready for the model. */
  "processing_result",
  /** The model has answered without calls; no more will be made. */
  "responding",
  "cancelled",
  "error",
  "completed",
] as const;

export type AgentState = (typeof agentStates)[number];

export const agentTransitions = [
  "start",
  "begin_thinking",
  "detect_tool_call",
  "request_approval",
  "approval_granted",
  "approval_denied",
  "tool_complete",
  "no_tool_calls",
  "complete",
  "cancel",
  "fail",
] as const;

export type AgentTransition = (typeof agentTransitions)[number];

type Edges = Partial<Record<AgentTransition, AgentState>>;

/**
 * Where each transition leads. `cancel` and `fail` are not listed: they lead from every state that is not terminal to
 * `cancelled` and `error`. Three edges make turns possible that a plain chain of states has no way through:
 *
 * - `thinking` → `begin_thinking` → `thinking`: the next iteration starts with nothing run in between, because every
 *   call was refused, or because the provider paused and wants to go on.
 * - `parsing_tool_call` → `approval_denied` → `thinking`: refused without asking anybody. The arguments are not valid,
 *   the tool is unknown, a rule denies it, or it is the last iteration.
 * - `executing_tool` → `detect_tool_call` → `parsing_tool_call`: one call of the answer is approved and the next one is
 *   looked at. Calls run when all of them are judged.
 */
export const stateEdges: Readonly<Record<AgentState, Readonly<Edges>>> = {
  idle: { start: "initializing" },
  initializing: { begin_thinking: "thinking" },
  thinking: {
    detect_tool_call: "parsing_tool_call",
    no_tool_calls: "responding",
    begin_thinking: "thinking",
  },
  parsing_tool_call: {
    request_approval: "waiting_for_approval",
    approval_granted: "executing_tool",
    approval_denied: "thinking",
  },
  waiting_for_approval: { approval_granted: "executing_tool", approval_denied: "thinking" },
  executing_tool: { tool_complete: "processing_result", detect_tool_call: "parsing_tool_call" },
  processing_result: { begin_thinking: "thinking" },
  responding: { complete: "completed" },
  completed: {},
  cancelled: {},
  error: {},
};

/** Where `transition` leads from `state`; nothing when it is not allowed there. */
export function nextState(state: AgentState, transition: AgentTransition): AgentState | undefined {
  if (transition === "cancel") return isTerminalState(state) ? undefined : "cancelled";
  if (transition === "fail") return isTerminalState(state) ? undefined : "error";
  return stateEdges[state][transition];
}

export function validTransitions(state: AgentState): readonly AgentTransition[] {
  return agentTransitions.filter((transition) => nextState(state, transition) !== undefined);
}

/** The request is over. */
export function isTerminalState(state: AgentState): boolean {
  return state === "completed" || state === "cancelled" || state === "error";
}

/** The agent itself is busy: not ready, not waiting, not done. */
export function isActive(state: AgentState): boolean {
  return !isTerminalState(state) && !isWaiting(state);
}

/** Nothing happens until somebody outside does something. */
export function isWaiting(state: AgentState): boolean {
  return state === "idle" || state === "waiting_for_approval";
}

/** The model is writing. */
export function isGenerating(state: AgentState): boolean {
  return state === "thinking" || state === "responding";
}

export function isToolRelated(state: AgentState): boolean {
  return (
    state === "parsing_tool_call" ||
    state === "waiting_for_approval" ||
    state === "executing_tool" ||
    state === "processing_result"
  );
}

export function canAcceptRequest(state: AgentState): boolean {
  return state === "idle";
}

/** A new request or an approval would be taken. */
export function canAcceptInput(state: AgentState): boolean {
  return isWaiting(state);
}

export function isAwaitingUserInput(state: AgentState): boolean {
  return state === "waiting_for_approval";
}

/** There is something to cancel. */
export function isCancellable(state: AgentState): boolean {
  return isActive(state) || isAwaitingUserInput(state);
}

export function showsSpinner(state: AgentState): boolean {
  return isActive(state);
}

const displays: Readonly<Record<AgentState, { readonly text: string; readonly icon: string }>> = {
  idle: { text: "Ready", icon: "⏸️" },
  initializing: { text: "Preparing...", icon: "🔄" },
  thinking: { text: "Thinking...", icon: "🤔" },
  parsing_tool_call: { text: "Analyzing tool call...", icon: "🔍" },
  waiting_for_approval: { text: "Waiting for approval", icon: "❓" },
  executing_tool: { text: "Running tool...", icon: "⚙️" },
  processing_result: { text: "Processing result...", icon: "📊" },
  responding: { text: "Composing response...", icon: "✍️" },
  cancelled: { text: "Cancelled", icon: "⛔" },
  error: { text: "Error", icon: "❌" },
  completed: { text: "Complete", icon: "✅" },
};

export function displayText(state: AgentState): string {
  return displays[state].text;
}

export function displayIcon(state: AgentState): string {
  return displays[state].icon;
}

const transitionTexts: Readonly<Record<AgentTransition, string>> = {
  start: "Starting request processing",
  begin_thinking: "Beginning LLM generation",
  detect_tool_call: "Tool call detected",
  request_approval: "Requesting user approval",
  approval_granted: "Approval granted",
  approval_denied: "Approval denied",
  tool_complete: "Tool execution complete",
  no_tool_calls: "No tools needed",
  complete: "Response complete",
  cancel: "Request cancelled",
  fail: "Processing failed",
};

export function transitionText(transition: AgentTransition): string {
  return transitionTexts[transition];
}

export function isSuccessTransition(transition: AgentTransition): boolean {
  return transition === "complete" || transition === "approval_granted" || transition === "tool_complete";
}

export function isFailureTransition(transition: AgentTransition): boolean {
  return transition === "cancel" || transition === "fail";
}
