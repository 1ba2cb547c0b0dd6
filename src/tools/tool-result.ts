import type { JsonValue } from "../model/json.ts";
import type { ImagePart } from "../model/message.ts";

/** Something a compiler, linter or the tool itself found, where a machine should read it too. */
export type Diagnostic = {
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly path?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
};

/** What came of a call. A failure the model should read is a result like any other. */
export type ToolResult = {
  readonly ok: boolean;
  /** What the model reads. */
  readonly content: string;
  readonly images?: readonly ImagePart[];
  /** For programs: never sent to the model. */
  readonly data?: JsonValue;
  readonly diagnostics?: readonly Diagnostic[];
};

type Extras = Omit<ToolResult, "ok" | "content">;

export function succeeded(content: string, extras: Extras = {}): ToolResult {
  return { ok: true, content, ...extras };
}

export function failed(content: string, extras: Extras = {}): ToolResult {
  return { ok: false, content, ...extras };
}
