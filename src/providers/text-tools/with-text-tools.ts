import type { ToolCall } from "../../model/message.ts";
import type { ModelEvent, StopReason } from "../../model/model-event.ts";
import type { ModelRequest, ToolDefinition } from "../../model/model-request.ts";
import type { StreamModel } from "../../model/stream-model.ts";
import type { ParserEvent } from "../../parsing/parser-event.ts";
import { createToolCallParser } from "../../parsing/tool-call-parser.ts";
import { asTextMessages } from "./text-tool-messages.ts";

export type TextToolOptions = {
  /** The tools and the way to call them, for the system prompt. */
  readonly describeTools: (tools: readonly ToolDefinition[]) => string;
  /** How this model writes calls; left out, every known way is looked for. */
  readonly format?: string;
  readonly newId: () => string;
};

/** Gives tools to a model that has no tool calling of its own: what it writes becomes the same events. */
export function withTextTools(stream: StreamModel, options: TextToolOptions): StreamModel {
  return async function* streamText(request, signal) {
    const tools = request.tools ?? [];
    const offered = request.toolChoice === "none" ? [] : tools;
    const parser = createToolCallParser({ tools: offered, format: options.format });
    const calls = new TextCalls(options.newId);
    for await (const event of stream(asTextRequest(request, offered, options), signal)) {
      if (event.type === "text_delta") yield* calls.read(parser.push(event.text));
      else if (event.type === "response_completed") {
        yield* calls.read(parser.end());
        yield { ...event, reason: calls.stopReason(event.reason) };
      } else yield event;
    }
  };
}

function asTextRequest(
  request: ModelRequest,
  offered: readonly ToolDefinition[],
  { describeTools }: TextToolOptions,
): ModelRequest {
  const { tools: _tools, toolChoice: _choice, system, messages, ...rest } = request;
  const whole = [system, offered.length > 0 ? describeTools(offered) : ""].filter(Boolean).join("\n\n");
  return { ...rest, ...(whole && { system: whole }), messages: asTextMessages(messages) };
}

class TextCalls {
  readonly #newId: () => string;
  readonly #ids = new Map<number, string>();
  #called = false;
  #cut = false;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  *read(events: readonly ParserEvent[]): Iterable<ModelEvent> {
    for (const event of events) {
      switch (event.type) {
        case "text":
          yield { type: "text_delta", text: event.text };
          break;
        case "thinking":
          yield { type: "thinking_delta", text: event.text };
          break;
        case "call_started":
          yield* this.#start(event.index, event.name);
          break;
        case "call":
          yield* this.#finish(event.index, event.call.name, { arguments: event.call.arguments });
          break;
        case "malformed_call":
          yield* this.#finish(event.index, event.name ?? "", {
            arguments: {},
            malformedArguments: event.text,
          });
          break;
        case "incomplete_call": {
          this.#cut = true;
          yield* this.#start(event.index, event.name ?? "");
          yield { type: "tool_call_args_delta", callId: this.#idOf(event.index), text: event.text };
          break;
        }
      }
    }
  }

  /** A server knows nothing of the calls in its text, nor that the last one has no end. */
  stopReason(given: StopReason): StopReason {
    if (given !== "stop") return given;
    if (this.#cut) return "length";
    return this.#called ? "tool_calls" : "stop";
  }

  *#start(index: number, name: string): Iterable<ModelEvent> {
    if (this.#ids.has(index)) return;
    yield { type: "tool_call_started", callId: this.#idOf(index), name };
  }

  *#finish(
    index: number,
    name: string,
    call: Pick<ToolCall, "arguments" | "malformedArguments">,
  ): Iterable<ModelEvent> {
    yield* this.#start(index, name);
    const id = this.#idOf(index);
    this.#called = true;
    yield {
      type: "tool_call_args_delta",
      callId: id,
      text: call.malformedArguments ?? JSON.stringify(call.arguments),
    };
    yield { type: "tool_call_ready", call: { id, name, ...call } };
  }

  #idOf(index: number): string {
    const known = this.#ids.get(index);
    if (known) return known;
    const id = this.#newId();
    this.#ids.set(index, id);
    return id;
  }
}
