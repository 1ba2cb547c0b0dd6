import type { PolicyCall } from "../policy/policy.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { orAborted } from "./abortable.ts";
import { messageOf } from "./agent-error.ts";
import type { CallPermission } from "./agent-event.ts";
import type { ReadyCall } from "./prepare-calls.ts";
import type { RunContext } from "./run-context.ts";

/** A policy that fails is a policy that denies. */
export async function askPolicy(
  run: RunContext,
  call: PolicyCall,
): Promise<{ readonly decision: PolicyDecision; readonly thrown?: unknown }> {
  try {
    return { decision: await orAborted(run.services.policy.judge(call, run.signal), run.signal) };
  } catch (thrown) {
    run.signal.throwIfAborted();
    const reason = `The policy could not judge it: ${messageOf(thrown)}`;
    return { decision: { answer: "deny", reason, source: "built_in" }, thrown };
  }
}

/** The call as the policy sees it. */
export function policyCall(run: RunContext, { request, tool }: ReadyCall): PolicyCall {
  const { requestId, conversationId, toolContext = {} } = run.request;
  const { maxAutoApprovalRiskLevel, sessionPermissions } = toolContext;
  return {
    callId: request.id,
    requestId,
    conversationId,
    toolId: tool.id,
    toolName: tool.name,
    category: tool.category,
    readOnly: tool.readOnly,
    parameters: request.parameters,
    riskLevel: request.riskLevel,
    summary: request.executionSummary,
    ...(maxAutoApprovalRiskLevel ? { maxAutoApprovalRiskLevel } : {}),
    ...(sessionPermissions ? { sessionPermissions } : {}),
  };
}

/** What the decision rests on. */
export function basis(
  run: RunContext,
  { reason, source, rule }: PolicyDecision,
): Omit<CallPermission, "allowed"> {
  return { reason, source, ...(rule === undefined ? {} : { rule }), decidedAt: run.timestamp() };
}
