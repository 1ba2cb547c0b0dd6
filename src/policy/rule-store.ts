import type { PolicyRule } from "./rules/policy-rule.ts";

/** Where rules are kept that outlive the session. */
export type RuleStore = {
  /** Adds rules that are not there yet. */
  add(effect: PolicyRule["effect"], rules: readonly string[]): Promise<void>;
  /** Takes out the rules written exactly so, and says how many there were. */
  remove(effect: PolicyRule["effect"], rules: readonly string[]): Promise<number>;
};
