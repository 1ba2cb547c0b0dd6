import { decide, type Verdict } from "./decide.ts";
import { judgeCommandLine } from "./judge-command-line.ts";
import { judgeHost } from "./judge-host.ts";
import { judgePaths, pathsOf } from "./judge-paths.ts";
import type { PolicyCall } from "./policy.ts";
import type { PolicyAnswer, RuleSource } from "./policy-decision.ts";
import type { PolicyPlace } from "./policy-place.ts";
import type { RiskLevel } from "./risk-level.ts";
import { rulesForTool } from "./rules/matching-rules.ts";
import type { PolicyRule } from "./rules/policy-rule.ts";
import type { ShellParser } from "./shell/shell-parser.ts";

/** Of a call, what decides about it. */
export type ExplainedCall = Pick<
  PolicyCall,
  "toolId" | "toolName" | "category" | "readOnly" | "parameters" | "riskLevel" | "maxAutoApprovalRiskLevel"
>;

/** What a judgement rests on besides the call. */
export type PolicyBasis = {
  readonly rules: readonly PolicyRule[];
  readonly place: PolicyPlace;
  /** Asked for at the first command, and at no other call. */
  readonly parser: () => Promise<ShellParser>;
  /** Whether git's settings in a folder make harmless git commands run programs. */
  readonly gitRunsPrograms?: (folder: string) => boolean;
};

export type Explanation = {
  readonly decision: PolicyAnswer;
  readonly risk: RiskLevel;
  /** Every thing the call would do, judged by itself. Never empty. */
  readonly parts: readonly Verdict[];
  /** Of the part that decided. */
  readonly rule?: string;
  readonly source: RuleSource;
  readonly reason: string;
};

/** May this call run, and why? Plain data. It is what judges; nothing else does. */
export async function explain(call: ExplainedCall, basis: PolicyBasis): Promise<Explanation> {
  return summary(await verdictsOn(call, basis));
}

async function verdictsOn(call: ExplainedCall, basis: PolicyBasis): Promise<readonly Verdict[]> {
  const { command, url } = call.parameters;
  if (call.category === "terminal" && typeof command === "string")
    return judgeCommandLine(call, command, basis);
  if (call.category === "network" && typeof url === "string") return [judgeHost(call, url, basis)];
  const paths = pathsOf(call);
  if (paths.length > 0) return judgePaths(call, paths, basis);
  const harmless = call.readOnly && call.riskLevel === "safe";
  const deed = {
    text: call.toolName,
    findings:
      call.riskLevel === "high"
        ? [{ warning: `${call.toolName} is of high risk.`, risk: "high" as const }]
        : [],
    harmless,
    risk: call.riskLevel,
    reason: harmless ? "It only reads." : "It can change something.",
  };
  return [decide(deed, rulesForTool(basis.rules, call.toolId), call.maxAutoApprovalRiskLevel)];
}

const order: readonly PolicyAnswer[] = ["deny", "ask", "allow"];
const risks: readonly RiskLevel[] = ["high", "medium", "safe"];

/** The strictest part decides. No part at all is no permission. */
function summary(parts: readonly Verdict[]): Explanation {
  const decision = order.find((answer) => parts.some((part) => part.decision === answer)) ?? "ask";
  const deciding = parts.filter((part) => part.decision === decision);
  const worst = risks.find((level) => deciding.some((part) => part.risk === level));
  const first = deciding.find((part) => part.risk === worst);
  return {
    decision,
    risk: risks.find((level) => parts.some((part) => part.risk === level)) ?? "high",
    parts,
    ...(first?.rule === undefined ? {} : { rule: first.rule }),
    source: first?.source ?? "built_in",
    reason: first?.reason ?? "What it would do is not known.",
  };
}
