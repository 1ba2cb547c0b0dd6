/** What a scripted answer is made of. Strings are text, each its own piece of the stream. */
export type AnswerPart =
  | string
  | { readonly thinking: string; readonly signature?: string }
  | { readonly call: string; readonly arguments: unknown; readonly id?: string }
  | { readonly stop: "length" | "refused" };

export type WireName = "anthropic" | "responses" | "chat" | "gemini" | "ollama";

/** The bytes a provider would send for these parts. Every answer reports 100 input and 10 output tokens. */
export function writeAnswer(wire: WireName, parts: readonly AnswerPart[]): string {
  return writers[wire](parts);
}

const sse = (payload: object, event?: string) =>
  `${event ? `event: ${event}\n` : ""}data: ${JSON.stringify(payload)}\n\n`;

const hasCall = (parts: readonly AnswerPart[]) =>
  parts.some((part) => typeof part === "object" && "call" in part);
const stopOf = (parts: readonly AnswerPart[]) =>
  parts.flatMap((part) => (typeof part === "object" && "stop" in part ? [part.stop] : []))[0];
const idOf = (part: { readonly id?: string }, index: number) => part.id ?? `call_${index}`;

const writers: Record<WireName, (parts: readonly AnswerPart[]) => string> = {
  anthropic(parts) {
    const event = (type: string, fields: object) => sse({ type, ...fields }, type);
    let out = event("message_start", {
      message: {
        id: "msg_1",
        type: "message",
        model: "claude-test",
        usage: { input_tokens: 100, output_tokens: 1 },
      },
    });
    parts.forEach((part, index) => {
      const start = (block: object) => event("content_block_start", { index, content_block: block });
      const delta = (change: object) => event("content_block_delta", { index, delta: change });
      const stop = event("content_block_stop", { index });
      if (typeof part === "string") {
        out += start({ type: "text", text: "" }) + delta({ type: "text_delta", text: part }) + stop;
      } else if ("thinking" in part) {
        out += start({ type: "thinking", thinking: "", signature: "" });
        out += delta({ type: "thinking_delta", thinking: part.thinking });
        out += delta({ type: "signature_delta", signature: part.signature ?? "sig" }) + stop;
      } else if ("call" in part) {
        out += start({ type: "tool_use", id: idOf(part, index), name: part.call, input: {} });
        for (const piece of halves(part.arguments))
          out += delta({ type: "input_json_delta", partial_json: piece });
        out += stop;
      }
    });
    const given = stopOf(parts);
    const reason = given === "length" ? "max_tokens" : given === "refused" ? "refusal" : undefined;
    return (
      out +
      event("message_delta", {
        delta: { stop_reason: reason ?? (hasCall(parts) ? "tool_use" : "end_turn") },
        usage: { output_tokens: 10 },
      }) +
      event("message_stop", {})
    );
  },

  responses(parts) {
    const event = (type: string, fields: object) => sse({ type, ...fields }, type);
    let out = event("response.created", {
      response: { id: "resp_1", created_at: 1, model: "gpt-test", status: "in_progress" },
    });
    parts.forEach((part, index) => {
      const at = { output_index: index };
      const item = (state: "added" | "done", value: object) =>
        event(`response.output_item.${state}`, { ...at, item: value });
      if (typeof part === "string") {
        out += item("added", { type: "message", id: `msg_${index}`, content: [] });
        out += event("response.output_text.delta", {
          ...at,
          item_id: `msg_${index}`,
          content_index: 0,
          delta: part,
        });
        out += item("done", {
          type: "message",
          id: `msg_${index}`,
          content: [{ type: "output_text", text: part }],
        });
      } else if ("thinking" in part) {
        out += item("added", { type: "reasoning", id: `rs_${index}`, summary: [] });
        out += event("response.reasoning_summary_text.delta", {
          ...at,
          item_id: `rs_${index}`,
          summary_index: 0,
          delta: part.thinking,
        });
        out += item("done", {
          type: "reasoning",
          id: `rs_${index}`,
          summary: [{ type: "summary_text", text: part.thinking }],
          encrypted_content: part.signature ?? "sealed",
        });
      } else if ("call" in part) {
        const call = {
          type: "function_call",
          id: `fc_${index}`,
          call_id: idOf(part, index),
          name: part.call,
        };
        out += item("added", { ...call, arguments: "" });
        for (const delta of halves(part.arguments)) {
          out += event("response.function_call_arguments.delta", { ...at, item_id: `fc_${index}`, delta });
        }
        out += item("done", { ...call, arguments: argumentsText(part.arguments), status: "completed" });
      }
    });
    const cut = stopOf(parts);
    const details = cut && {
      incomplete_details: { reason: cut === "length" ? "max_output_tokens" : "content_filter" },
    };
    const usage = { input_tokens: 100, output_tokens: 10 };
    return (
      out +
      event(cut ? "response.incomplete" : "response.completed", {
        response: {
          id: "resp_1",
          model: "gpt-test",
          status: cut ? "incomplete" : "completed",
          usage,
          ...details,
        },
      })
    );
  },

  chat(parts) {
    const base = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "chat-test" };
    const chunk = (delta: object, finish: string | null = null) =>
      sse({ ...base, choices: [{ index: 0, delta, finish_reason: finish }] });
    let out = chunk({ role: "assistant", content: "" });
    let calls = 0;
    parts.forEach((part, index) => {
      if (typeof part === "string") out += chunk({ content: part });
      else if ("thinking" in part) out += chunk({ reasoning_content: part.thinking });
      else if ("call" in part) {
        const at = calls++;
        const call = { index: at, id: idOf(part, index), type: "function" };
        out += chunk({ tool_calls: [{ ...call, function: { name: part.call, arguments: "" } }] });
        for (const piece of halves(part.arguments)) {
          out += chunk({ tool_calls: [{ index: at, function: { arguments: piece } }] });
        }
      }
    });
    const given = stopOf(parts);
    const reason = given === "length" ? "length" : given === "refused" ? "content_filter" : undefined;
    out += chunk({}, reason ?? (hasCall(parts) ? "tool_calls" : "stop"));
    out += sse({
      ...base,
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    });
    return `${out}data: [DONE]\n\n`;
  },

  gemini(parts) {
    const chunk = (part: object, finishReason?: string) =>
      sse({
        candidates: [
          { content: { role: "model", parts: [part] }, index: 0, ...(finishReason && { finishReason }) },
        ],
        usageMetadata: { promptTokenCount: 100, candidatesTokenCount: 10, totalTokenCount: 110 },
        modelVersion: "gemini-test",
        responseId: "resp-1",
      });
    let out = "";
    for (const part of parts) {
      if (typeof part === "string") out += chunk({ text: part });
      else if ("thinking" in part) {
        out += chunk({
          text: part.thinking,
          thought: true,
          ...(part.signature && { thoughtSignature: part.signature }),
        });
      } else if ("call" in part) {
        out += chunk({
          functionCall: { name: part.call, args: part.arguments, ...(part.id && { id: part.id }) },
          thoughtSignature: "sealed",
        });
      }
    }
    const given = stopOf(parts);
    return (
      out + chunk({ text: "" }, given === "length" ? "MAX_TOKENS" : given === "refused" ? "SAFETY" : "STOP")
    );
  },

  ollama(parts) {
    const line = (fields: object) =>
      `${JSON.stringify({ model: "ollama-test", created_at: "now", ...fields })}\n`;
    const said = (message: object) =>
      line({ message: { role: "assistant", content: "", ...message }, done: false });
    let out = "";
    for (const part of parts) {
      if (typeof part === "string") out += said({ content: part });
      else if ("thinking" in part) out += said({ thinking: part.thinking });
      else if ("call" in part) {
        out += said({ tool_calls: [{ function: { name: part.call, arguments: part.arguments } }] });
      }
    }
    return (
      out +
      line({
        message: { role: "assistant", content: "" },
        done: true,
        done_reason: stopOf(parts) === "length" ? "length" : "stop",
        prompt_eval_count: 100,
        eval_count: 10,
      })
    );
  },
};

/** A string is sent as it is, so that a test can have a model write broken arguments. */
function argumentsText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function halves(value: unknown): string[] {
  const json = argumentsText(value);
  const middle = Math.ceil(json.length / 2);
  return [json.slice(0, middle), json.slice(middle)].filter((piece) => piece !== "");
}
