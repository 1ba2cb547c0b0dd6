import type { RiskLevel } from "../risk-level.ts";

/** Something about a call that a rule for calls of its kind did not have in mind. */
export type Finding = {
  /** For the person who is asked. */
  readonly warning: string;
  /** What is `high` asks even where the whole tool is allowed. */
  readonly risk: Exclude<RiskLevel, "safe">;
  /** No rule can have known of it: it lies not in the call but in what is around it. */
  readonly always?: true;
};

export function medium(warning: string): Finding {
  return { warning, risk: "medium" };
}

export function high(warning: string): Finding {
  return { warning, risk: "high" };
}
