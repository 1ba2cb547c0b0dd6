import type { Model } from "../../../model/catalogue.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { ThinkingLevel } from "../../../model/thinking-level.ts";
import { budgetFor, effortFor, levelWords } from "../thinking-effort.ts";

export type AnthropicThinking = {
  readonly thinking?: JsonObject;
  readonly effort?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxTokens: number;
};

/** The answer keeps at least this much room beside the thinking, which counts against the same limit. */
const roomForAnswer = 4_096;

export function anthropicThinking(
  level: ThinkingLevel | undefined,
  model: Model | undefined,
  maxTokens: number,
): AnthropicThinking {
  const support = model?.thinking;
  if (level === undefined || support === false) return { maxTokens };
  if (support && "budget" in support) {
    if (level === "off") return { maxTokens };
    const budget = Math.min(budgetFor(level, support.budget), maxTokens - roomForAnswer);
    if (budget < support.budget.min) return { maxTokens };
    return {
      thinking: { type: "enabled", budget_tokens: budget },
      // Without it these models think once, before the first call, and not about its result.
      headers: { "anthropic-beta": "interleaved-thinking-2025-05-14" },
      maxTokens,
    };
  }
  if (level === "off" && support?.canDisable !== false) {
    const least = support && "adaptive" in support && support.betweenTools ? "between_tools" : "disabled";
    return { thinking: { type: least }, maxTokens };
  }
  const effort = effortFor(level, levelWords(support, knownEfforts));
  return {
    // Newer models leave the words of their thinking out unless asked for the summary.
    thinking: { type: "adaptive", display: "summarized" },
    ...(effort && { effort }),
    maxTokens,
  };
}

const knownEfforts = { low: "low", medium: "medium", high: "high", max: "max" } as const;
