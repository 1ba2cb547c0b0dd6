import type { JsonObject, JsonValue } from "../../../model/json.ts";
import { ModelError } from "../../../model/model-error.ts";
import type { ModelEvent, StopReason } from "../../../model/model-event.ts";
import type { Usage } from "../../../model/usage.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { providerError } from "../../http/provider-error.ts";
import { array, count, lookUp, object, optionalText, parseObject, text } from "../../http/read-json.ts";
import { toolCall } from "../tool-arguments.ts";
import type { WireDecoder } from "../wire-format.ts";
import { originOf } from "./encode.ts";
import { ReasoningDetails } from "./reasoning-details.ts";

type OpenCall = { id: string; name: string; json: string; started: boolean };

const stopReasons: Readonly<Record<string, StopReason>> = {
  stop: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  content_filter: "refused",
};

export function decode(endpoint: Endpoint): WireDecoder {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const details = new ReasoningDetails();
  let thinkingField: string | undefined;
  let finishReason: string | undefined;
  let refused = false;
  let usage: JsonObject = {};
  let model: string | undefined;
  let responseId: string | undefined;

  function push(payload: JsonObject): readonly ModelEvent[] {
    if (payload.error || payload.object === "error") throw providerError(endpoint, { body: payload });
    model ??= optionalText(payload.model);
    responseId ??= optionalText(payload.id);
    // Groq reports under a name of its own unless asked for usage.
    const counted = payload.usage ?? object(payload.x_groq).usage;
    if (counted) usage = object(counted);

    const choice = object(array(payload.choices)[0]);
    const events = readDelta(object(choice.delta ?? choice.message));
    const finish = optionalText(choice.finish_reason);
    if (finish && finishReason === undefined) {
      finishReason = finish;
      events.push(...finishCalls(finish));
    }
    return events;
  }

  function readDelta(delta: JsonObject): ModelEvent[] {
    const events: ModelEvent[] = [];
    const field = thinkingFields.find((name) => optionalText(delta[name]));
    if (field) {
      thinkingField = field;
      events.push({ type: "thinking_delta", text: text(delta[field]) });
    }
    details.add(array(delta.reasoning_details));
    if (typeof delta.content === "string") {
      if (delta.content !== "") events.push({ type: "text_delta", text: delta.content });
    } else if (delta.content) events.push(...array(delta.content).flatMap(contentPart));
    if (optionalText(delta.refusal)) {
      refused = true;
      events.push({ type: "text_delta", text: text(delta.refusal) });
    }
    for (const part of array(delta.tool_calls)) events.push(...readCall(object(part)));
    return events;
  }

  function readCall(part: JsonObject): ModelEvent[] {
    const fn = object(part.function);
    const call = findCall(part, text(fn.name));
    if (call.name === "") call.name = text(fn.name);
    const events: ModelEvent[] = [];
    if (!call.started && call.name !== "") {
      call.started = true;
      events.push({ type: "tool_call_started", callId: call.id, name: call.name });
    }
    // Some servers send the arguments as an object instead of its text.
    const json =
      typeof fn.arguments === "object" && fn.arguments ? JSON.stringify(fn.arguments) : text(fn.arguments);
    call.json += json;
    if (json !== "") events.push({ type: "tool_call_args_delta", callId: call.id, text: json });
    return events;
  }

  /** By index; but there are servers that number all calls 0, or not at all. */
  function findCall(part: JsonObject, name: string): OpenCall {
    const id = text(part.id);
    const index = typeof part.index === "number" ? part.index : undefined;
    const known = index === undefined ? calls.at(-1) : byIndex.get(index);
    if (known && !isAnother(known, id, name)) return known;
    const call = {
      // OpenAI takes no id of more than 40 characters, should the conversation go on there.
      id: id || `call_${(responseId ?? ownId()).slice(-24)}_${calls.length}`,
      name: "",
      json: "",
      started: false,
    };
    calls.push(call);
    byIndex.set(index ?? calls.length - 1, call);
    return call;
  }

  /** A limit or a filter leaves the last call in the middle of its arguments: it stays started, never ready. */
  function finishCalls(finish: string): ModelEvent[] {
    const reason = lookUp(stopReasons, finish);
    const sure = reason === "stop" || reason === "tool_calls";
    const whole = calls.filter((call) => call.started && (sure || parseObject(call.json)));
    return whole.map((call) => ({ type: "tool_call_ready", call: toolCall(call.id, call.name, call.json) }));
  }

  function seal(): ModelEvent[] {
    const value: JsonValue | undefined = details.isEmpty
      ? thinkingField && { field: thinkingField }
      : { details: details.list };
    if (!value) return [];
    return [{ type: "thinking_delta", text: "", signature: { origin: originOf(endpoint.provider), value } }];
  }

  return {
    push,
    finished: () => finishReason !== undefined,
    end() {
      if (finishReason === "error" || finishReason === "insufficient_system_resource") {
        throw new ModelError("overloaded", "The provider stopped in the middle of the answer.", {
          provider: endpoint.provider,
          code: finishReason,
        });
      }
      // Closed by [DONE] without a word on how it ended.
      const events = finishReason === undefined ? finishCalls("stop") : [];
      return [
        ...events,
        ...seal(),
        {
          type: "response_completed",
          reason: stopReason(
            finishReason,
            calls.some((call) => call.started),
            refused,
          ),
          usage: readUsage(usage),
          ...(finishReason && { providerReason: finishReason }),
          ...(model && { model }),
          ...(responseId && { responseId }),
        },
      ];
    },
  };
}

/** A name comes with the first piece of a call only, or again and again; then the id tells, or that the call is whole. */
function isAnother(known: OpenCall, id: string, name: string): boolean {
  if (name === "") return false;
  if (id !== "") return id !== known.id;
  return (known.name !== "" && name !== known.name) || parseObject(known.json) !== undefined;
}

/** For a server that gives neither calls nor answers an id: a call of the next answer must not have the same. */
function ownId(): string {
  return process.getBuiltinModule("node:crypto").randomUUID().slice(0, 8);
}

const thinkingFields = ["reasoning_content", "reasoning"] as const;

/** Mistral: [{"type":"thinking","thinking":[{"type":"text","text":"…"}]},{"type":"text","text":"…"}] */
function contentPart(value: unknown): ModelEvent[] {
  const part = object(value);
  if (part.type === "text") return [{ type: "text_delta", text: text(part.text) }];
  if (part.type === "thinking") {
    const words = array(part.thinking).map((piece) => text(object(piece).text));
    return [{ type: "thinking_delta", text: words.join("") }];
  }
  return [{ type: "trace", name: text(part.type) || "unknown_part", data: part }];
}

function stopReason(finish: string | undefined, called: boolean, refused: boolean): StopReason {
  if (refused) return "refused";
  const reason = lookUp(stopReasons, finish ?? "stop") ?? "other";
  return reason === "stop" && called ? "tool_calls" : reason;
}

function readUsage(usage: JsonObject): Usage {
  const prompt = object(usage.prompt_tokens_details);
  // In this order: OpenAI and most others, DeepSeek, Mistral.
  const cached = [prompt.cached_tokens, usage.prompt_cache_hit_tokens, usage.num_cached_tokens];
  const cacheReadTokens = cached.map(count).find((tokens) => tokens > 0) ?? 0;
  const cacheWriteTokens = count(prompt.cache_write_tokens);
  const input = count(usage.prompt_tokens);
  const output = count(usage.completion_tokens);
  const reasoningTokens = count(object(usage.completion_tokens_details).reasoning_tokens);
  // xAI counts reasoning beside the completion, the others inside it; the total tells which.
  const beside = reasoningTokens > 0 && count(usage.total_tokens) === input + output + reasoningTokens;
  return {
    inputTokens: Math.max(0, input - cacheReadTokens - cacheWriteTokens),
    outputTokens: beside ? output + reasoningTokens : output,
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens,
  };
}
