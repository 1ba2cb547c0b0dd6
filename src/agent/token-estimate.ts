/** Bytes of UTF-8 in a token, on the average of prose and code. Good enough to keep a limit, not to count a price. */
export const bytesPerToken = 4;

/**
 * How many tokens a text has, roughly: a quarter of its UTF-8 bytes. Bytes rather than characters, so that scripts
 * with more tokens for each character count for more.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / bytesPerToken);
}
