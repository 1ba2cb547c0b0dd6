import { decide, riskOf, type Verdict } from "./decide.ts";
import type { ExplainedCall, PolicyBasis } from "./explain.ts";
import { high } from "./risk/finding.ts";
import { isLocalHost } from "./risk/network-host.ts";
import { hostOf } from "./rules/host-pattern.ts";
import { rulesForHost, rulesForTool } from "./rules/matching-rules.ts";

/** Judges a call by the host it would talk to. */
export function judgeHost(call: ExplainedCall, url: string, { rules }: PolicyBasis): Verdict {
  const host = hostOf(url);
  if (host === undefined) {
    const reason = "Which host it talks to is not known.";
    const deed = {
      text: url,
      findings: [high(reason)],
      harmless: false,
      risk: "high",
      reason,
      unknown: true,
    } as const;
    return decide(deed, rulesForTool(rules, call.toolId), call.maxAutoApprovalRiskLevel);
  }
  const findings = isLocalHost(host) ? [high(`${host} is on this machine or the network around it.`)] : [];
  const harmless = call.readOnly && call.riskLevel === "safe" && findings.length === 0;
  const deed = {
    text: url,
    findings,
    harmless,
    risk: riskOf(findings, call.riskLevel),
    reason: `It talks to ${host}.`,
  };
  return decide(deed, rulesForHost(rules, call.toolId, host), call.maxAutoApprovalRiskLevel);
}
