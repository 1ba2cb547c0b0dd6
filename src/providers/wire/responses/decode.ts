import type { JsonObject } from "../../../model/json.ts";
import type { ModelEvent, StopReason } from "../../../model/model-event.ts";
import { noUsage, type Usage } from "../../../model/usage.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { providerError } from "../../http/provider-error.ts";
import { array, count, object, optionalText, text } from "../../http/read-json.ts";
import { toolCall } from "../tool-arguments.ts";
import type { WireDecoder } from "../wire-format.ts";
import { origin } from "./encode.ts";

/** Keyed by `output_index`: behind some gateways the item ids differ from event to event. */
type OpenCall = { readonly id: string; readonly name: string; json: string };

export function decode(endpoint: Endpoint): WireDecoder {
  const calls = new Map<unknown, OpenCall>();
  const started = new Map<string, OpenCall>();
  /** The summary part last written to, so that parts are set apart from each other. */
  let summaryPart: string | undefined;
  let thinkingText = false;
  let called = false;
  let refused = false;
  let completed: JsonObject | undefined;

  function push(payload: JsonObject): readonly ModelEvent[] {
    switch (payload.type) {
      case "response.output_text.delta":
        return textDelta(payload.delta);
      case "response.refusal.delta":
        refused = true;
        return textDelta(payload.delta);
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
        return thinkingDelta(payload);
      case "response.output_item.added":
        return startItem(payload.output_index, object(payload.item));
      case "response.function_call_arguments.delta":
        return argumentsDelta(payload.output_index, text(payload.delta));
      case "response.output_item.done":
        return finishItem(payload.output_index, object(payload.item));
      case "response.completed":
      case "response.done":
      case "response.incomplete":
        completed = object(payload.response);
        return [];
      case "response.failed":
        throw providerError(endpoint, { body: { error: object(object(payload.response).error) } });
      case "error":
        throw providerError(endpoint, { body: payload });
      default:
        // A gateway's own error, which does not say what it is.
        if (payload.error) throw providerError(endpoint, { body: payload });
        return quiet.has(text(payload.type))
          ? []
          : [{ type: "trace", name: text(payload.type) || "unknown", data: payload }];
    }
  }

  function thinkingDelta(payload: JsonObject): readonly ModelEvent[] {
    const part = `${payload.output_index}/${payload.summary_index ?? payload.content_index}`;
    const gap = thinkingText && summaryPart !== undefined && summaryPart !== part ? "\n\n" : "";
    summaryPart = part;
    thinkingText = true;
    return [{ type: "thinking_delta", text: gap + text(payload.delta) }];
  }

  function startItem(index: unknown, item: JsonObject): readonly ModelEvent[] {
    if (item.type === "function_call") {
      const call = { id: text(item.call_id) || text(item.id), name: text(item.name), json: "" };
      calls.set(index, call);
      started.set(call.id, call);
      return [{ type: "tool_call_started", callId: call.id, name: call.name }];
    }
    if (item.type === "reasoning") {
      summaryPart = undefined;
      thinkingText = false;
    }
    return ownItems.has(text(item.type))
      ? []
      : [{ type: "trace", name: text(item.type) || "unknown_item", data: item }];
  }

  function argumentsDelta(index: unknown, json: string): readonly ModelEvent[] {
    const call = calls.get(index);
    if (!call || json === "") return [];
    call.json += json;
    return [{ type: "tool_call_args_delta", callId: call.id, text: json }];
  }

  function finishItem(index: unknown, item: JsonObject): readonly ModelEvent[] {
    if (item.type === "reasoning") return [sealThinking(item, thinkingText)];
    if (item.type !== "function_call") return [];
    const events: ModelEvent[] = [];
    // A gateway that numbers all items alike lets the last one to begin stand for all: the id tells them apart.
    let call = started.get(text(item.call_id)) ?? calls.get(index);
    if (!call) {
      events.push(...startItem(index, item));
      call = calls.get(index);
    }
    calls.delete(index);
    // Cut by the output limit: started, never ready.
    if (!call || item.status === "incomplete") return events;
    called = true;
    const json = optionalText(item.arguments) ?? call.json;
    if (call.json === "" && json !== "")
      events.push({ type: "tool_call_args_delta", callId: call.id, text: json });
    return [...events, { type: "tool_call_ready", call: toolCall(call.id, call.name, json) }];
  }

  return {
    push,
    finished: () => completed !== undefined,
    end() {
      const response = completed ?? {};
      const cut = optionalText(object(response.incomplete_details).reason);
      const model = optionalText(response.model);
      const responseId = optionalText(response.id);
      return [
        {
          type: "response_completed",
          reason: stopReason(cut, called, refused),
          usage: readUsage(object(response.usage)),
          providerReason: cut ?? (optionalText(response.status) || "completed"),
          ...(model && { model }),
          ...(responseId && { responseId }),
        },
      ];
    },
  };
}

function textDelta(delta: unknown): readonly ModelEvent[] {
  return [{ type: "text_delta", text: text(delta) }];
}

/** The whole item goes back in the next request, less its id: nothing is stored there that the id could name. */
function sealThinking(item: JsonObject, streamed: boolean): ModelEvent {
  const { id: _id, status: _status, ...rest } = item;
  const whole = [...array(item.summary), ...array(item.content)].map((part) => text(object(part).text));
  return {
    type: "thinking_delta",
    text: streamed ? "" : whole.filter(Boolean).join("\n\n"),
    ...(optionalText(item.encrypted_content) && { signature: { origin, value: { summary: [], ...rest } } }),
  };
}

function stopReason(cut: string | undefined, called: boolean, refused: boolean): StopReason {
  if (cut === "max_output_tokens") return "length";
  if (cut === "content_filter" || refused) return "refused";
  if (cut) return "other";
  return called ? "tool_calls" : "stop";
}

const ownItems = new Set(["message", "reasoning", "function_call"]);

/** Events that say again what the deltas and items have said. */
const quiet = new Set([
  "response.created",
  "response.in_progress",
  "response.queued",
  "response.output_text.done",
  "response.content_part.added",
  "response.content_part.done",
  "response.refusal.done",
  "response.reasoning_text.done",
  "response.reasoning_summary_text.done",
  "response.reasoning_summary_part.added",
  "response.reasoning_summary_part.done",
  "response.function_call_arguments.done",
  "response.output_text.annotation.added",
  "keepalive",
]);

function readUsage(usage: JsonObject): Usage {
  const input = object(usage.input_tokens_details);
  const cacheReadTokens = count(input.cached_tokens);
  const cacheWriteTokens = count(input.cache_write_tokens);
  return {
    ...noUsage,
    inputTokens: Math.max(0, count(usage.input_tokens) - cacheReadTokens - cacheWriteTokens),
    outputTokens: count(usage.output_tokens),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: count(object(usage.output_tokens_details).reasoning_tokens),
  };
}
