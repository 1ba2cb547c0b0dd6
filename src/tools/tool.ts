import type { JsonObject } from "../model/json.ts";
import type { RiskLevel } from "../policy/risk-level.ts";
import type { ToolCategory } from "../policy/tool-category.ts";
import type { ToolProgress } from "./tool-progress.ts";
import type { ToolResult } from "./tool-result.ts";

export type ToolContext = {
  readonly callId: string;
  readonly requestId: string;
  readonly conversationId: string;
  readonly workspacePath?: string;
  /**
   * Aborts when the call must stop: the user cancelled, or time ran out. A tool then ends promptly, and may still
   * return what it has: it is shown to the model as the output of an interrupted call.
   */
  readonly signal: AbortSignal;
  readonly reportProgress: (progress: ToolProgress) => void;
};

export type ArgumentCheck<Args> =
  | { readonly ok: true; readonly args: Args }
  /** Each problem names the argument and what is expected of it, in words a model can act on. */
  | { readonly ok: false; readonly problems: readonly string[] };

/**
 * Something a model can do. `validate` is the only door: all other functions get what it let through. It is zod's for
 * tools made by `defineTool`; a foreign tool brings its own.
 */
export type Tool<Args = unknown> = {
  /** What the model calls it and rules name it: `read_file`. */
  readonly id: string;
  /** What people read: `Read file`. */
  readonly name: string;
  readonly description: string;
  readonly category: ToolCategory;
  /** Of a typical call; `riskOf` has the last word. */
  readonly risk: RiskLevel;
  /** Changes nothing, anywhere. Such calls run side by side. */
  readonly readOnly: boolean;
  /** JSON Schema of the arguments object. */
  readonly inputSchema: JsonObject;
  validate(parameters: JsonObject): ArgumentCheck<Args>;
  /** One line that says what the call will do, for approvals and logs. */
  summarize(args: Args): string;
  riskOf(args: Args): RiskLevel;
  /** What to look at before approving: `Command: rm -r build`. */
  detailsOf?(args: Args): readonly string[];
  /**
   * Resolved paths the call reads or changes. Calls of one turn that touch the same file, or a folder and something in
   * it, keep their order if one of them writes. Left out: the call may touch anything.
   */
  touches?(args: Args): readonly string[];
  /** Never throws for what the model should read. */
  execute(args: Args, context: ToolContext): Promise<ToolResult>;
};
