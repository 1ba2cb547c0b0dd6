import type { JsonObject } from "../model/json.ts";
import type { ApprovalDecision } from "./approval-decision.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import type { RiskLevel } from "./risk-level.ts";
import type { ToolCategory } from "./tool-category.ts";
import type { ToolPermission } from "./tool-permission.ts";

/** A call as the policy sees it: its parameters are valid, nothing of it has run. */
export type PolicyCall = {
  readonly callId: string;
  readonly requestId: string;
  readonly conversationId: string;
  readonly toolId: string;
  readonly toolName: string;
  readonly category: ToolCategory;
  readonly readOnly: boolean;
  readonly parameters: JsonObject;
  /** Of this call, which may be higher or lower than the tool's own. */
  readonly riskLevel: RiskLevel;
  readonly summary: string;
  /** The request's own limit. Absent: only what is safe goes through unasked. */
  readonly maxAutoApprovalRiskLevel?: RiskLevel;
  readonly sessionPermissions?: readonly ToolPermission[];
};

/** May this call run? */
export type Policy = {
  /** A policy that throws is a policy that denies. */
  judge(call: PolicyCall, signal: AbortSignal): PolicyDecision | Promise<PolicyDecision>;
  /** Called for decisions whose `remember` goes beyond this one call. */
  remember?(call: PolicyCall, decision: ApprovalDecision): void | Promise<void>;
};
