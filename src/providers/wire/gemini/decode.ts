import { isJsonObject, type JsonObject } from "../../../model/json.ts";
import type { Signature } from "../../../model/message.ts";
import type { ModelEvent, StopReason } from "../../../model/model-event.ts";
import type { Usage } from "../../../model/usage.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { providerError } from "../../http/provider-error.ts";
import { array, count, lookUp, object, optionalText, text } from "../../http/read-json.ts";
import type { WireDecoder } from "../wire-format.ts";
import { origin } from "./encode.ts";

const stopReasons: Readonly<Record<string, StopReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "refused",
  RECITATION: "refused",
  BLOCKLIST: "refused",
  PROHIBITED_CONTENT: "refused",
  SPII: "refused",
  IMAGE_SAFETY: "refused",
};

export function decode(endpoint: Endpoint): WireDecoder {
  // Never the same as in another answer, where the provider names neither answers nor calls.
  const madeUp = process.getBuiltinModule("node:crypto").randomUUID().slice(0, 8);
  let calls = 0;
  let finishReason: string | undefined;
  let blocked: string | undefined;
  let usage: JsonObject = {};
  let model: string | undefined;
  let responseId: string | undefined;

  function push(payload: JsonObject): readonly ModelEvent[] {
    if (payload.error) throw providerError(endpoint, { body: payload });
    model ??= optionalText(payload.modelVersion);
    responseId ??= optionalText(payload.responseId);
    if (payload.usageMetadata) usage = { ...usage, ...object(payload.usageMetadata) };
    blocked ??= optionalText(object(payload.promptFeedback).blockReason);
    const candidate = object(array(payload.candidates)[0]);
    // More than one chunk may carry a reason; the last one counts.
    finishReason = optionalText(candidate.finishReason) ?? finishReason;
    return array(object(candidate.content).parts).flatMap(readPart);
  }

  function readPart(value: unknown): ModelEvent[] {
    const part = object(value);
    if (isJsonObject(part.functionCall)) return readCall(part.functionCall, part);
    if (typeof part.text === "string") {
      const sealed = signature({ thoughtSignature: part.thoughtSignature });
      if (part.text === "" && !sealed) return [];
      const type = part.thought === true ? "thinking_delta" : "text_delta";
      return [{ type, text: part.text, ...(sealed && { signature: sealed }) }];
    }
    return [{ type: "trace", name: Object.keys(part)[0] ?? "empty_part", data: part }];
  }

  /** Calls come whole. Most models give them no id, so we do; only a provider's own id is sent back. */
  function readCall(call: JsonObject, part: JsonObject): ModelEvent[] {
    const own = optionalText(call.id);
    const callId = own ?? `call_${responseId ?? madeUp}_${calls}`;
    calls++;
    const name = text(call.name);
    const args = object(call.args);
    const sealed = signature({ thoughtSignature: part.thoughtSignature, id: own });
    return [
      { type: "tool_call_started", callId, name },
      { type: "tool_call_args_delta", callId, text: JSON.stringify(args) },
      {
        type: "tool_call_ready",
        call: { id: callId, name, arguments: args, ...(sealed && { signature: sealed }) },
      },
    ];
  }

  return {
    push,
    finished: () => finishReason !== undefined || blocked !== undefined,
    end() {
      const word = blocked ?? finishReason;
      const reason = blocked ? "refused" : (lookUp(stopReasons, finishReason) ?? "other");
      return [
        {
          type: "response_completed",
          reason: reason === "stop" && calls > 0 ? "tool_calls" : reason,
          usage: readUsage(usage),
          ...(word && { providerReason: word }),
          ...(model && { model }),
          ...(responseId && { responseId }),
        },
      ];
    },
  };
}

function signature(fields: Record<string, unknown>): Signature | undefined {
  const value: Record<string, string> = {};
  for (const [key, field] of Object.entries(fields)) if (typeof field === "string") value[key] = field;
  return Object.keys(value).length > 0 ? { origin, value } : undefined;
}

function readUsage(usage: JsonObject): Usage {
  const cacheReadTokens = count(usage.cachedContentTokenCount);
  const input = count(usage.promptTokenCount) + count(usage.toolUsePromptTokenCount);
  const reasoningTokens = count(usage.thoughtsTokenCount);
  return {
    inputTokens: Math.max(0, input - cacheReadTokens),
    outputTokens: count(usage.candidatesTokenCount) + reasoningTokens,
    cacheReadTokens,
    cacheWriteTokens: 0,
    reasoningTokens,
  };
}
