import type { JsonObject } from "../../src/model/json.ts";

/** Who said it, with which HTTP status (none in the middle of a stream), and how. */
export type SaidFailure = readonly [who: string, status: number | undefined, body: object | string];

export const openaiFailure = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
});

export const anthropicFailure = (type: string, message: string) => ({
  type: "error",
  error: { type, message },
});

export const googleFailure = (
  code: number,
  status: string,
  message: string,
  details: readonly JsonObject[] = [],
): JsonObject => ({ error: { code, message, status, details } });
