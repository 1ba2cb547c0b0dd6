import { matchesExample, type PolicyRule, parseRule } from "./policy-rule.ts";
import type { PolicyEntry, PolicySettings } from "./policy-settings-schema.ts";
import { RuleSyntaxError } from "./rule-syntax-error.ts";

export const ruleEffects = ["allow", "ask", "deny"] as const;

/** Rules that cannot be used. The message names each of them. */
export class PolicyRuleError extends Error {
  override readonly name = "PolicyRuleError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The policy has mistakes:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    this.problems = problems;
  }
}

/** The rules of a settings file. Throws `PolicyRuleError` with all that is wrong: no rule is left out silently. */
export function rulesOf(settings: PolicySettings, source: PolicyRule["source"]): readonly PolicyRule[] {
  const problems: string[] = [];
  const rules = ruleEffects.flatMap((effect) =>
    (settings[effect] ?? []).flatMap((written, at) => {
      const wrong = entryProblems(written);
      problems.push(...wrong.map((problem) => `policy.${effect}[${at}]: ${problem}`));
      return wrong.length > 0 ? [] : [ruleOf(written, effect, source)];
    }),
  );
  if (problems.length > 0) throw new PolicyRuleError(problems);
  return rules;
}

/** What `--allow`, `--ask` and `--deny` say on the command line. */
export function rulesFromTexts(
  texts: { readonly [effect in PolicyRule["effect"]]?: readonly string[] },
  source: PolicyRule["source"] = "session",
): readonly PolicyRule[] {
  const settings: { -readonly [effect in PolicyRule["effect"]]?: string[] } = {};
  for (const effect of ruleEffects) if (texts[effect]) settings[effect] = [...texts[effect]];
  return rulesOf(settings, source);
}

function ruleOf(
  written: PolicyEntry,
  effect: PolicyRule["effect"],
  source: PolicyRule["source"],
): PolicyRule {
  if (typeof written === "string") return parseRule(written, { effect, source });
  const { rule, reason } = written;
  return parseRule(rule, { effect, source, ...(reason === undefined ? {} : { reason }) });
}

function entryProblems(written: PolicyEntry): readonly string[] {
  const text = typeof written === "string" ? written : written.rule;
  const { match = [], noMatch = [] } = typeof written === "string" ? {} : written;
  try {
    const rule = ruleOf(written, "ask", "user");
    return [
      ...match
        .filter((example) => !matchesExample(rule, example))
        .map((example) => `the rule ${text} does not match its own example: ${example}`),
      ...noMatch
        .filter((example) => matchesExample(rule, example))
        .map((example) => `the rule ${text} matches what it must not: ${example}`),
    ];
  } catch (error) {
    if (error instanceof RuleSyntaxError) return [`the rule ${JSON.stringify(text)} ${error.message}`];
    throw error;
  }
}
