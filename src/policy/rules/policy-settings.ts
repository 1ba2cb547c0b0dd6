import * as z from "zod/mini";
import { matchesExample, type PolicyRule, parseRule } from "./policy-rule.ts";
import { RuleSyntaxError } from "./rule-syntax-error.ts";

const examples = z.array(z.string());

const detailedEntry = z.strictObject({
  rule: z.string().check(z.describe("For example run_command(git log *), write_file(src/**), read_file.")),
  match: z.exactOptional(
    examples.check(z.describe("Calls the rule must speak for. Checked at every start.")),
  ),
  noMatch: z.exactOptional(
    examples.check(z.describe("Calls the rule must not speak for. Checked at every start.")),
  ),
  reason: z.exactOptional(z.string().check(z.describe("Shown when the rule decides."))),
});

const entry = z
  .union([z.string(), detailedEntry], {
    error: 'must be a rule, such as "run_command(git log *)", or an object with a `rule`',
  })
  .check((context) => {
    for (const message of entryProblems(context.value)) {
      context.issues.push({ code: "custom", message, input: context.value });
    }
  });

const entries = z.array(entry);

/** The part of the settings that says what may run. */
export const policySettingsSchema = z.strictObject({
  allow: z.exactOptional(entries.check(z.describe("What runs without a question."))),
  ask: z.exactOptional(entries.check(z.describe("What always asks, though a wider rule allows it."))),
  deny: z.exactOptional(entries.check(z.describe("What never runs, whatever else allows it."))),
});

export type PolicySettings = z.infer<typeof policySettingsSchema>;
export type PolicyEntry = z.infer<typeof entry>;

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
