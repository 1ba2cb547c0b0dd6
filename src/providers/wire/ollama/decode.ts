import type { JsonObject } from "../../../model/json.ts";
import type { ModelEvent } from "../../../model/model-event.ts";
import { noUsage } from "../../../model/usage.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { providerError } from "../../http/provider-error.ts";
import { array, count, object, optionalText, text } from "../../http/read-json.ts";
import type { WireDecoder } from "../wire-format.ts";

export function decode(endpoint: Endpoint): WireDecoder {
  const { randomUUID } = process.getBuiltinModule("node:crypto");
  let calls = 0;
  let done: JsonObject | undefined;

  function push(payload: JsonObject): readonly ModelEvent[] {
    if (payload.error) throw providerError(endpoint, { body: payload });
    if (payload.done === true) done = payload;
    const message = object(payload.message);
    const events: ModelEvent[] = [];
    if (optionalText(message.thinking)) events.push({ type: "thinking_delta", text: text(message.thinking) });
    if (optionalText(message.content)) events.push({ type: "text_delta", text: text(message.content) });
    for (const part of array(message.tool_calls)) events.push(...readCall(object(part)));
    return events;
  }

  /** Calls come whole; older servers give them no id. */
  function readCall(part: JsonObject): ModelEvent[] {
    const fn = object(part.function);
    // OpenAI takes no id of more than 40 characters, should the conversation go on there.
    const callId = optionalText(part.id) ?? `call_${randomUUID().replaceAll("-", "")}`;
    const name = text(fn.name);
    const args = object(fn.arguments);
    calls++;
    return [
      { type: "tool_call_started", callId, name },
      { type: "tool_call_args_delta", callId, text: JSON.stringify(args) },
      { type: "tool_call_ready", call: { id: callId, name, arguments: args } },
    ];
  }

  return {
    push,
    finished: () => done !== undefined,
    end() {
      const word = optionalText(done?.done_reason);
      const model = optionalText(done?.model);
      return [
        {
          type: "response_completed",
          reason: word === "length" ? "length" : calls > 0 ? "tool_calls" : "stop",
          usage: {
            ...noUsage,
            inputTokens: count(done?.prompt_eval_count),
            outputTokens: count(done?.eval_count),
          },
          ...(word && { providerReason: word }),
          ...(model && { model }),
        },
      ];
    },
  };
}
