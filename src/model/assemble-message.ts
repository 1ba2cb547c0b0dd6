import { assertNever } from "./assert-never.ts";
import type { AssistantMessage, AssistantPart, ToolCall } from "./message.ts";
import type { ModelEvent, StopReason } from "./model-event.ts";
import { noUsage, type Usage } from "./usage.ts";

/** A call that began and never became whole: the output limit or a lost connection cut it. */
export type UnfinishedCall = {
  readonly callId: string;
  readonly name: string;
  readonly argumentsText: string;
};

export type AssembledResponse = {
  readonly message: AssistantMessage;
  readonly calls: readonly ToolCall[];
  readonly unfinished: readonly UnfinishedCall[];
  readonly reason: StopReason | undefined;
  readonly usage: Usage;
};

type OpenBlock = { type: "text" | "thinking"; pieces: string[] };

/** Folds the events of one response into its message. The terminal, the page and the log all use this one. */
export class MessageAssembler {
  readonly #parts: AssistantPart[] = [];
  readonly #started = new Map<string, { name: string; pieces: string[] }>();
  #open: OpenBlock | undefined;
  #reason: StopReason | undefined;
  #usage: Usage = noUsage;

  add(event: ModelEvent): void {
    switch (event.type) {
      case "text_delta":
      case "thinking_delta":
        this.#addDelta(event);
        break;
      case "tool_call_started":
        this.#closeBlock();
        this.#started.set(event.callId, { name: event.name, pieces: [] });
        break;
      case "tool_call_args_delta":
        this.#started.get(event.callId)?.pieces.push(event.text);
        break;
      case "tool_call_ready":
        this.#closeBlock();
        this.#started.delete(event.call.id);
        this.#parts.push({ type: "tool_call", call: event.call });
        break;
      case "response_completed":
        this.#reason = event.reason;
        this.#usage = event.usage;
        break;
      case "trace":
        break;
      default:
        assertNever(event);
    }
  }

  /** What has arrived so far; the stream may go on after it. */
  snapshot(): AssembledResponse {
    const open = this.#openPart();
    const content = open ? [...this.#parts, open] : [...this.#parts];
    return {
      message: { role: "assistant", content },
      calls: content.flatMap((part) => (part.type === "tool_call" ? [part.call] : [])),
      unfinished: [...this.#started].map(([callId, { name, pieces }]) => ({
        callId,
        name,
        argumentsText: pieces.join(""),
      })),
      reason: this.#reason,
      usage: this.#usage,
    };
  }

  #addDelta(event: Extract<ModelEvent, { type: "text_delta" | "thinking_delta" }>): void {
    const type = event.type === "text_delta" ? "text" : "thinking";
    if (this.#open?.type !== type) {
      this.#closeBlock();
      this.#open = { type, pieces: [] };
    }
    if (event.text !== "") this.#open?.pieces.push(event.text);
    if (event.signature) {
      const text = this.#open?.pieces.join("") ?? "";
      this.#parts.push({ type, text, signature: event.signature });
      this.#open = undefined;
    }
  }

  #openPart(): AssistantPart | undefined {
    const text = this.#open?.pieces.join("") ?? "";
    return this.#open && text !== "" ? { type: this.#open.type, text } : undefined;
  }

  #closeBlock(): void {
    const part = this.#openPart();
    if (part) this.#parts.push(part);
    this.#open = undefined;
  }
}
