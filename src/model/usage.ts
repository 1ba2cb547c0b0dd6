/**
 * Tokens of one response. The prompt is `inputTokens + cacheReadTokens + cacheWriteTokens`: the three are disjoint,
 * because each has its own price. `reasoningTokens` are part of `outputTokens`.
 */
export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
};

export const noUsage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};
