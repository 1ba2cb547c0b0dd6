import type { PolicyAnswer, RuleSource } from "./policy-decision.ts";
import type { Finding } from "./risk/finding.ts";
import { isRiskAbove, type RiskLevel } from "./risk-level.ts";
import { compareSpecificity, isExactRule, type PolicyRule } from "./rules/policy-rule.ts";

/** The answer for one thing a call would do. */
export type Verdict = {
  readonly text: string;
  readonly decision: PolicyAnswer;
  readonly risk: RiskLevel;
  readonly source: RuleSource;
  /** As its author wrote it. */
  readonly rule?: string;
  readonly reason: string;
  readonly warnings: readonly string[];
};

/** One thing a call would do, with all that is known of it. */
export type Deed = {
  readonly text: string;
  readonly findings: readonly Finding[];
  /** What holds when no rule speaks. */
  readonly harmless: boolean;
  readonly risk: RiskLevel;
  readonly reason: string;
  /** No rule can allow it, for it is not known what it is. */
  readonly unknown?: true;
};

/** The rules that speak for a deed. */
export type MatchingRules = {
  readonly deny: readonly PolicyRule[];
  readonly others: readonly PolicyRule[];
};

/**
 * A denial wins over everything. Then the rule that says most decides, and of two that say as much the one that asks. A
 * permission holds for what its author could have had in mind: of a pattern not for what was found besides, of a whole
 * tool not for what is of high risk. Without a rule, what is harmless runs and the rest asks.
 */
export function decide(deed: Deed, rules: MatchingRules, limit: RiskLevel | undefined): Verdict {
  const warnings = deed.findings.map(({ warning }) => warning);
  const verdict = (decision: PolicyAnswer, reason: string, rule?: PolicyRule): Verdict => ({
    text: deed.text,
    decision,
    risk: deed.risk,
    source: rule?.source ?? "default",
    ...(rule ? { rule: rule.text } : {}),
    reason: rule?.reason ?? reason,
    warnings,
  });
  const [denial] = rules.deny.toSorted((a, b) => compareSpecificity(b, a));
  if (denial) return verdict("deny", `The ${nameOf(denial)} denies it.`, denial);
  if (deed.unknown) return verdict("ask", deed.reason);
  const uncovered = new Set<Finding>();
  for (const rule of rules.others.toSorted(strongestFirst)) {
    if (rule.effect === "ask") return verdict("ask", `The ${nameOf(rule)} asks first.`, rule);
    const left = deed.findings.filter((finding) => !covers(rule, finding));
    if (left.length === 0) return verdict("allow", `The ${nameOf(rule)} allows it.`, rule);
    for (const finding of left) uncovered.add(finding);
  }
  if (limit && !isRiskAbove(deed.risk, limit) && !deed.findings.some(({ always }) => always)) {
    if (!deed.harmless)
      return { ...verdict("allow", `The request approves calls up to ${limit} risk.`), source: "session" };
  }
  if (deed.harmless) return verdict("allow", deed.reason);
  const open = uncovered.size > 0 ? [...uncovered] : deed.findings;
  const worst = open.find(({ risk }) => risk === "high") ?? open[0];
  return verdict("ask", worst?.warning ?? deed.reason);
}

function covers(rule: PolicyRule, finding: Finding): boolean {
  if (finding.always) return false;
  return isExactRule(rule) || (rule.pattern === undefined && finding.risk !== "high");
}

function strongestFirst(a: PolicyRule, b: PolicyRule): number {
  return compareSpecificity(b, a) || Number(b.effect === "ask") - Number(a.effect === "ask");
}

const sourceNames: Record<PolicyRule["source"], string> = {
  built_in: "built-in rule",
  user: "rule",
  project: "project's rule",
  session: "session's rule",
};

function nameOf({ source, text }: PolicyRule): string {
  return `${sourceNames[source]} ${text}`;
}

/** Of what was found, the worst. */
export function riskOf(findings: readonly Finding[], otherwise: RiskLevel): RiskLevel {
  if (findings.some(({ risk }) => risk === "high")) return "high";
  return findings.length > 0 ? "medium" : otherwise;
}
