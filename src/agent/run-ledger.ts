import type { JsonObject } from "../model/json.ts";
import type { TextPart, ToolResultMessage } from "../model/message.ts";
import { noUsage, type Usage } from "../model/usage.ts";
import type { ToolResult } from "../tools/tool-result.ts";
import type { CallPermission, CutResult, ToolUsageSummary } from "./agent-event.ts";
import { RepeatWatch } from "./repeat-watch.ts";
import type { ToolCallEnd, ToolCallRequest } from "./tool-call-lifecycle.ts";
import type { Transcript } from "./transcript.ts";

/** A call and what came of it. */
export type EndedCall = {
  readonly request: ToolCallRequest;
  readonly status: ToolCallEnd;
  readonly result: ToolResult;
  readonly duration: number;
  /** Whether the tool was started at all. */
  readonly executed: boolean;
  readonly permission?: CallPermission;
  readonly modifiedParameters?: JsonObject;
  readonly cut?: CutResult;
};

/** Keeps the accounts of one run: what was said, what was used. */
export class RunLedger {
  readonly transcript: Transcript;
  readonly #includeResults: boolean;
  readonly #repeats = new RepeatWatch();
  readonly #tools = new Map<string, ToolUsageSummary>();
  #usage: Usage = noUsage;
  #pieces = 0;
  #executed = 0;

  constructor(transcript: Transcript, includeResults: boolean) {
    this.transcript = transcript;
    this.#includeResults = includeResults;
  }

  get toolCallsExecuted(): number {
    return this.#executed;
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Generated tokens: the provider's count where there is one. */
  get totalTokens(): number {
    return this.#usage.outputTokens > 0 ? this.#usage.outputTokens : this.#pieces;
  }

  get toolUsage(): readonly ToolUsageSummary[] {
    return [...this.#tools.values()];
  }

  addGeneration(usage: Usage, pieces: number): void {
    this.#pieces += pieces;
    this.#usage = {
      inputTokens: this.#usage.inputTokens + usage.inputTokens,
      outputTokens: this.#usage.outputTokens + usage.outputTokens,
      cacheReadTokens: this.#usage.cacheReadTokens + usage.cacheReadTokens,
      cacheWriteTokens: this.#usage.cacheWriteTokens + usage.cacheWriteTokens,
      reasoningTokens: this.#usage.reasoningTokens + usage.reasoningTokens,
    };
  }

  /** Writes the result into the conversation, and returns it with the notes that the model reads. */
  addResult(ended: EndedCall): ToolResult {
    const { request, result, modifiedParameters } = ended;
    if (ended.executed) this.#countExecution(ended);
    const notes = [
      modifiedParameters && `[The user changed the arguments before it ran: ${inShort(modifiedParameters)}]`,
      this.#repeats.note(request.toolId, request.parameters, result.ok),
    ].filter((note) => note !== undefined);
    const content = [result.content === "" ? "(no output)" : result.content, ...notes].join("\n");
    this.transcript.addResult(request.id, this.#messageContent(content, result), !result.ok);
    return { ...result, content };
  }

  #messageContent(text: string, { images = [] }: ToolResult): ToolResultMessage["content"] {
    if (this.#includeResults) return [textPart(text), ...images];
    return [textPart("(The result is not shown to you: results are kept out of this conversation.)")];
  }

  #countExecution({ request, result, duration }: EndedCall): void {
    this.#executed += 1;
    const { toolId, toolName } = request;
    const before = this.#tools.get(toolId);
    this.#tools.set(toolId, {
      toolId,
      toolName,
      invocationCount: (before?.invocationCount ?? 0) + 1,
      successCount: (before?.successCount ?? 0) + (result.ok ? 1 : 0),
      failureCount: (before?.failureCount ?? 0) + (result.ok ? 0 : 1),
      totalDuration: (before?.totalDuration ?? 0) + duration,
    });
  }
}

function textPart(text: string): TextPart {
  return { type: "text", text };
}

/** A file's whole content may be among the arguments. */
function inShort(parameters: JsonObject): string {
  const text = JSON.stringify(parameters);
  return text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text;
}
