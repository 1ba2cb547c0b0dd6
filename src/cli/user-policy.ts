import { homedir } from "node:os";
import { join } from "node:path";
import { RulePolicy } from "../policy/rule-policy.ts";
import { rulesFromTexts, rulesOf } from "../policy/rules/policy-settings.ts";
import { settingsRuleStore } from "../policy/settings-rule-store.ts";
import type { Settings } from "../settings/settings.ts";

export type UserPolicy = {
  readonly settings: Settings;
  readonly configFolder: string;
  /** Without links. */
  readonly workspace: string;
  readonly granted?: readonly string[];
  /** Rules of the command line, for this run. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
};

/** The rules of the settings and of the command line; what is approved for good is kept in the settings. */
export function userPolicy({
  settings,
  configFolder,
  workspace,
  granted = [],
  allow,
  deny,
}: UserPolicy): RulePolicy {
  return new RulePolicy({
    place: { root: workspace, granted, home: homedir() },
    rules: [...rulesOf(settings.policy ?? {}, "user"), ...rulesFromTexts({ allow, deny })],
    store: settingsRuleStore(join(configFolder, "settings.json")),
  });
}
