import type { Policy, PolicyCall } from "./policy.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import { isRiskAbove } from "./risk-level.ts";

/**
 * What holds when no rules are given: reading is allowed, everything else asks. A read-only call of more than safe
 * risk (a private key, a page on the network) asks too.
 */
export const safeDefaultPolicy: Policy = { judge: judgeByDefault };

function judgeByDefault(call: PolicyCall): PolicyDecision {
  if (isGrantedForSession(call)) {
    return { answer: "allow", reason: `${call.toolName} was approved for this session.`, source: "session" };
  }
  const limit = call.maxAutoApprovalRiskLevel ?? "safe";
  if (isRiskAbove(call.riskLevel, limit)) {
    const reason = `Its risk is ${call.riskLevel}; without asking, ${limit} is the most that may run.`;
    return { answer: "ask", reason, source: "default" };
  }
  if (call.readOnly) return { answer: "allow", reason: "It only reads.", source: "default" };
  if (call.maxAutoApprovalRiskLevel) {
    const reason = `The request approves calls up to ${limit} risk.`;
    return { answer: "allow", reason, source: "session" };
  }
  return { answer: "ask", reason: "It can change something.", source: "default" };
}

/** Grants limited by a pattern need a policy that knows patterns; here they grant nothing. */
function isGrantedForSession(call: PolicyCall): boolean {
  return (call.sessionPermissions ?? []).some(
    (permission) =>
      permission.toolId === call.toolId &&
      permission.autoApproved &&
      permission.approvalPattern === undefined,
  );
}
