import { type LevelWords, type Thinking, wordsOf } from "../../model/catalogue.ts";
import { type ThinkingLevel, thinkingLevels } from "../../model/thinking-level.ts";

/** The words a model takes for our levels; `unknown` for a model of which nothing is known. */
export function levelWords(thinking: Thinking | undefined, unknown: LevelWords): LevelWords {
  if (thinking === undefined) return unknown;
  return "budget" in thinking ? {} : wordsOf(thinking);
}

/** The provider's word for a level; for a level it has no word for, that of the nearest one, the lower first. */
export function effortFor(level: ThinkingLevel, words: LevelWords): string | undefined {
  const wanted = thinkingLevels.indexOf(level);
  for (let distance = 0; distance < thinkingLevels.length; distance++) {
    for (const at of [wanted - distance, wanted + distance]) {
      const candidate = thinkingLevels[at];
      const word = candidate && candidate !== "off" ? words[candidate] : undefined;
      if (word) return word;
    }
  }
  return undefined;
}

const budgets: Readonly<Record<ThinkingLevel, number>> = {
  off: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 20_480,
  max: Number.POSITIVE_INFINITY,
};

/** Tokens to think with, for models that take a number. */
export function budgetFor(
  level: ThinkingLevel,
  range: { readonly min: number; readonly max: number },
): number {
  return Math.min(range.max, Math.max(range.min, budgets[level]));
}
