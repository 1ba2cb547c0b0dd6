export const thinkingLevels = ["off", "minimal", "low", "medium", "high", "max"] as const;

/** How hard the model should think before it answers. Providers map it to effort words or token budgets. */
export type ThinkingLevel = (typeof thinkingLevels)[number];

export function isThinkingLevel(text: string): text is ThinkingLevel {
  return (thinkingLevels as readonly string[]).includes(text);
}
