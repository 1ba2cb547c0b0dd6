import type { RiskLevel } from "./risk-level.ts";

/** Where the rule that decided was written. `default` means that no rule spoke. */
export const ruleSources = ["built_in", "user", "project", "session", "default"] as const;

export type RuleSource = (typeof ruleSources)[number];

export type PolicyAnswer = "allow" | "ask" | "deny";

export type PolicyDecision = {
  readonly answer: PolicyAnswer;
  /** Shown to the user when asked, and to the model when denied. */
  readonly reason: string;
  readonly source: RuleSource;
  /** The rule as its author wrote it. */
  readonly rule?: string;
  /** Of what the call would really do, where the policy looked closer than the tool. */
  readonly riskLevel?: RiskLevel;
  /** What the user should look at before answering: each simple command of a line, each path. */
  readonly details?: readonly string[];
  readonly warnings?: readonly string[];
  /** Rules that would allow this call and its like from now on, to be shown before one says "always". */
  readonly suggestedRules?: readonly string[];
};
