import { join } from "node:path";
import { styleText } from "node:util";
import type { Explanation } from "../policy/explain.ts";
import type { RulePolicy } from "../policy/rule-policy.ts";
import { parseRule } from "../policy/rules/policy-rule.ts";
import { ruleEffects } from "../policy/rules/policy-settings.ts";
import { settingsRuleStore } from "../policy/settings-rule-store.ts";
import { type PolicyArguments, UsageError } from "./arguments.ts";
import { visibleText } from "./visible-text.ts";

/** `aintern policy`: which rules there are, what they decide and why, and changes to the user's own. */
export async function runPolicyCommand(
  { action, words, json }: PolicyArguments,
  policy: RulePolicy,
  configFolder: string,
): Promise<string> {
  switch (action) {
    case "list":
      return listRules(policy, json);
    case "explain": {
      if (words.length === 0)
        throw new UsageError('Name the command to explain: aintern policy explain "git push"');
      const explained = await policy.explain(commandCall(words.join(" ")));
      return json ? `${JSON.stringify(explained, undefined, 2)}\n` : visibleText(describe(explained));
    }
    case "remove":
      return removeRules(words, configFolder);
    default:
      return addRules(action, words, configFolder);
  }
}

function commandCall(command: string) {
  return {
    toolId: "run_command",
    toolName: "Run command",
    category: "terminal",
    readOnly: false,
    parameters: { command },
    riskLevel: "medium",
  } as const;
}

function listRules(policy: RulePolicy, json: boolean): string {
  const rules = policy.rules().map(({ effect, text, source, reason }) => ({
    effect,
    rule: text,
    source,
    ...(reason !== undefined && { reason }),
  }));
  if (json) return `${JSON.stringify({ rules }, undefined, 2)}\n`;
  const lines = rules.map(
    ({ effect, rule, source }) => `${effect.padEnd(6)}${rule}  (${source.replace("_", "-")})`,
  );
  const defaults =
    "Where no rule speaks: reading the workspace and the plainest commands run, everything else asks. A denial wins.";
  return visibleText(`${[...lines, defaults].join("\n")}\n`);
}

function describe({ decision, risk, parts, reason }: Explanation): string {
  const judged = parts.flatMap((part) => [
    `  ${part.decision.padEnd(6)}${part.text}`,
    ...(parts.length > 1 ? [`        ${part.reason}`] : []),
    ...part.warnings.filter((warning) => warning !== part.reason).map((warning) => `      ! ${warning}`),
  ]);
  return [`${decision}, ${risk} risk: ${reason}`, ...judged, ""].join("\n");
}

async function addRules(
  effect: (typeof ruleEffects)[number],
  rules: readonly string[],
  configFolder: string,
): Promise<string> {
  if (rules.length === 0)
    throw new UsageError(`Name the rule: aintern policy ${effect} "run_command(npm test *)"`);
  for (const rule of rules) parseRule(rule, { effect, source: "user" });
  const file = join(configFolder, "settings.json");
  await settingsRuleStore(file).add(effect, rules);
  return `${rules.map((rule) => `${styleText("bold", effect)} ${visibleText(rule)}`).join("\n")}\nKept in ${file}\n`;
}

async function removeRules(rules: readonly string[], configFolder: string): Promise<string> {
  if (rules.length === 0) throw new UsageError("Name the rule as `aintern policy` shows it.");
  const store = settingsRuleStore(join(configFolder, "settings.json"));
  let removed = 0;
  for (const effect of ruleEffects) removed += await store.remove(effect, rules);
  if (removed === 0)
    throw new UsageError("There is no such rule in your settings. See them with: aintern policy");
  return `${removed === 1 ? "1 rule" : `${removed} rules`} removed.\n`;
}
