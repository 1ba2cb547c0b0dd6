import type { JsonObject } from "../../../model/json.ts";
import type { ModelEvent, StopReason } from "../../../model/model-event.ts";
import type { Usage } from "../../../model/usage.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { providerError } from "../../http/provider-error.ts";
import { array, count, lookUp, object, optionalText, text } from "../../http/read-json.ts";
import { toolCall } from "../tool-arguments.ts";
import type { WireDecoder } from "../wire-format.ts";
import { origin } from "./encode.ts";

type Block =
  | { readonly type: "text" }
  | { readonly type: "thinking"; signature: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; json: string }
  | { readonly type: "foreign" };

const stopReasons: Readonly<Record<string, StopReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refused",
  pause_turn: "paused",
};

export function decode(endpoint: Endpoint): WireDecoder {
  const blocks = new Map<unknown, Block>();
  /** Calls whose arguments were no JSON when their block closed: cut by the provider, or badly written? */
  let doubtful: Extract<Block, { type: "tool_use" }>[] = [];
  let usage: JsonObject = {};
  let model: string | undefined;
  let responseId: string | undefined;
  let stopReason: string | undefined;

  function push(payload: JsonObject): readonly ModelEvent[] {
    switch (payload.type) {
      case "message_start": {
        const message = object(payload.message);
        usage = { ...usage, ...object(message.usage) };
        model ??= optionalText(message.model);
        responseId ??= optionalText(message.id);
        stopReason = optionalText(message.stop_reason) ?? stopReason;
        // A turn that only goes on with what the server began comes whole, without deltas.
        return array(message.content).flatMap((block, at) => [
          ...startBlock(`whole ${at}`, object(block)),
          ...stopBlock(`whole ${at}`),
        ]);
      }
      case "content_block_start":
        return startBlock(payload.index, object(payload.content_block));
      case "content_block_delta":
        return delta(blocks.get(payload.index), object(payload.delta));
      case "content_block_stop":
        return stopBlock(payload.index);
      case "message_delta": {
        usage = { ...usage, ...withoutNulls(object(payload.usage)) };
        stopReason = optionalText(object(payload.delta).stop_reason) ?? stopReason;
        const reason = lookUp(stopReasons, stopReason);
        const events = reason === "length" || reason === "refused" ? [] : doubtful.map(ready);
        doubtful = [];
        return events;
      }
      case "ping":
      case "message_stop":
        return [];
      case "error":
        throw providerError(endpoint, { body: payload });
      default:
        // A gateway's own error, which does not say what it is.
        if (payload.error) throw providerError(endpoint, { body: payload });
        return [{ type: "trace", name: text(payload.type) || "unknown", data: payload }];
    }
  }

  function startBlock(index: unknown, block: JsonObject): ModelEvent[] {
    switch (block.type) {
      case "text":
        blocks.set(index, { type: "text" });
        return text(block.text) ? [{ type: "text_delta", text: text(block.text) }] : [];
      case "thinking":
        blocks.set(index, { type: "thinking", signature: text(block.signature) });
        return text(block.thinking) ? [{ type: "thinking_delta", text: text(block.thinking) }] : [];
      case "redacted_thinking":
        blocks.set(index, { type: "foreign" });
        return [
          { type: "thinking_delta", text: "", signature: { origin, value: { data: text(block.data) } } },
        ];
      case "tool_use": {
        const id = text(block.id);
        const name = text(block.name);
        // Usually `{}` and then deltas; a block that is never streamed has its input here.
        const input = object(block.input);
        blocks.set(index, { type: "tool_use", id, name, json: "" });
        const started: ModelEvent[] = [{ type: "tool_call_started", callId: id, name }];
        return Object.keys(input).length === 0
          ? started
          : [
              ...started,
              ...delta(blocks.get(index), { type: "input_json_delta", partial_json: JSON.stringify(input) }),
            ];
      }
      default:
        blocks.set(index, { type: "foreign" });
        return [{ type: "trace", name: text(block.type) || "unknown_block", data: block }];
    }
  }

  function delta(block: Block | undefined, change: JsonObject): readonly ModelEvent[] {
    switch (change.type) {
      case "text_delta":
        return [{ type: "text_delta", text: text(change.text) }];
      case "thinking_delta":
        return [{ type: "thinking_delta", text: text(change.thinking) }];
      case "signature_delta":
        if (block?.type === "thinking") block.signature += text(change.signature);
        return [];
      case "input_json_delta": {
        const json = text(change.partial_json);
        if (block?.type !== "tool_use" || json === "") return [];
        block.json += json;
        return [{ type: "tool_call_args_delta", callId: block.id, text: json }];
      }
      default:
        return [{ type: "trace", name: text(change.type) || "unknown_delta", data: change }];
    }
  }

  function stopBlock(index: unknown): readonly ModelEvent[] {
    const block = blocks.get(index);
    blocks.delete(index);
    if (block?.type === "thinking" && block.signature) {
      return [{ type: "thinking_delta", text: "", signature: { origin, value: block.signature } }];
    }
    if (block?.type !== "tool_use") return [];
    if (toolCall(block.id, block.name, block.json).malformedArguments === undefined) return [ready(block)];
    doubtful.push(block);
    return [];
  }

  return {
    push,
    // Some gateways leave the closing `message_stop` out.
    finished: () => stopReason !== undefined,
    end: () => [
      {
        type: "response_completed",
        reason: lookUp(stopReasons, stopReason) ?? "other",
        usage: readUsage(usage),
        ...(stopReason && { providerReason: stopReason }),
        ...(model && { model }),
        ...(responseId && { responseId }),
      },
    ],
  };
}

function ready(block: Extract<Block, { type: "tool_use" }>): ModelEvent {
  return { type: "tool_call_ready", call: toolCall(block.id, block.name, block.json) };
}

function withoutNulls(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function readUsage(usage: JsonObject): Usage {
  return {
    inputTokens: count(usage.input_tokens),
    outputTokens: count(usage.output_tokens),
    cacheReadTokens: count(usage.cache_read_input_tokens),
    cacheWriteTokens: count(usage.cache_creation_input_tokens),
    reasoningTokens: count(object(usage.output_tokens_details).thinking_tokens),
  };
}
