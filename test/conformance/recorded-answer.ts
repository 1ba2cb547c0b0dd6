/*
 * What a recording holds, read the plainest way there is: all payloads at once, no streaming, none of the product's
 * code. The product's answer to the same bytes is compared with this.
 */

// biome-ignore lint/suspicious/noExplicitAny: payloads of four formats, as they come
type Payload = any;

export type RecordedAnswer = {
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly { readonly name: string; readonly arguments: unknown; readonly id?: string }[];
  readonly reason: string;
  readonly usage: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly reasoning: number;
  };
};

export type RecordedWire = "anthropic" | "responses" | "chat" | "gemini" | "ollama";

/**
 * Some files hold the answers of a whole conversation one after another. A second beginning that follows no end is a
 * fault of the provider, and part of its answer.
 */
export function splitAnswers(payloads: readonly Payload[]): Payload[][] {
  const answers: Payload[][] = [];
  let ended = true;
  for (const payload of payloads) {
    if (ended && beginnings.has(payload.type)) answers.push([]);
    if (answers.length === 0) answers.push([]);
    ended = endings.has(payload.type);
    answers.at(-1)?.push(payload);
  }
  return answers;
}

const beginnings = new Set(["message_start", "response.created"]);
const endings = new Set(["message_stop", "response.completed", "response.incomplete"]);

export function payloadsOf(file: string, bytes: string): Payload[] {
  const lines = bytes.split(/\r?\n/);
  const json = file.endsWith(".sse")
    ? lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trim())
    : lines.map((line) => line.trim());
  return json.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line));
}

export function readRecording(wire: RecordedWire, payloads: readonly Payload[]): RecordedAnswer {
  return readers[wire](payloads);
}

const join = (pieces: readonly unknown[]) => pieces.filter((piece) => typeof piece === "string").join("");
const parse = (json: string) => (json.trim() === "" || json === "null" ? {} : JSON.parse(json));
const isJson = (json: string) => {
  try {
    parse(json);
    return true;
  } catch {
    return false;
  }
};

const readers: Record<RecordedWire, (payloads: readonly Payload[]) => RecordedAnswer> = {
  anthropic(payloads) {
    const messages = payloads.filter((p) => p.type === "message_start").map((p) => p.message);
    const whole = messages.flatMap((message) => message.content).filter((block) => block.type === "tool_use");
    const starts = payloads.filter((p) => p.type === "content_block_start");
    const deltas = payloads.filter((p) => p.type === "content_block_delta");
    const end = payloads.filter((p) => p.type === "message_delta");
    const usage = Object.assign({}, ...messages.map((message) => message.usage), ...end.map((p) => p.usage));
    const reason = [...messages.map((m) => m.stop_reason), ...end.map((p) => p.delta.stop_reason)].findLast(
      Boolean,
    );
    const calls = starts
      .filter((p) => p.content_block.type === "tool_use")
      .map((p) => ({
        id: p.content_block.id,
        name: p.content_block.name,
        given: p.content_block.input,
        json: join(deltas.filter((d) => d.index === p.index).map((d) => d.delta.partial_json)),
        closed: payloads.some((d) => d.type === "content_block_stop" && d.index === p.index),
      }))
      .filter((call) => call.closed && isJson(call.json))
      .map(({ id, name, given, json }) => ({ id, name, arguments: json === "" ? given : parse(json) }));
    const words: Record<string, string> = {
      end_turn: "stop",
      stop_sequence: "stop",
      tool_use: "tool_calls",
      max_tokens: "length",
      refusal: "refused",
      pause_turn: "paused",
    };
    return {
      text: join([
        ...starts.map((p) => p.content_block.type === "text" && p.content_block.text),
        ...deltas.map((d) => d.delta.type === "text_delta" && d.delta.text),
      ]),
      thinking: join(deltas.map((d) => d.delta.type === "thinking_delta" && d.delta.thinking)),
      calls: [...whole.map(({ id, name, input }) => ({ id, name, arguments: input })), ...calls],
      reason: words[reason] ?? "other",
      usage: {
        input: usage.input_tokens ?? 0,
        output: usage.output_tokens ?? 0,
        cacheRead: usage.cache_read_input_tokens ?? 0,
        cacheWrite: usage.cache_creation_input_tokens ?? 0,
        reasoning: usage.output_tokens_details?.thinking_tokens ?? 0,
      },
    };
  },

  /** The items as they are when done; nothing from the deltas. */
  responses(payloads) {
    const last = payloads.findLast(
      (p) => p.type === "response.completed" || p.type === "response.incomplete",
    );
    const items = payloads
      .filter((p) => p.type === "response.output_item.done")
      .sort((a, b) => a.output_index - b.output_index)
      .map((p) => p.item);
    const parts = items.filter((item) => item.type === "message").flatMap((item) => item.content ?? []);
    const reasoning = items.filter((item) => item.type === "reasoning");
    const calls = items.filter((item) => item.type === "function_call" && item.status !== "incomplete");
    const usage = last.response.usage ?? {};
    const cacheRead = usage.input_tokens_details?.cached_tokens ?? 0;
    const cut = last.response.incomplete_details?.reason;
    const refusal = parts.some((part) => part.type === "refusal");
    return {
      text: join(parts.map((part) => part.text ?? part.refusal)),
      thinking: reasoning
        .map((item) =>
          [...(item.summary ?? []), ...(item.content ?? [])].map((part) => part.text).join("\n\n"),
        )
        .join(""),
      calls: calls.map((item) => ({ id: item.call_id, name: item.name, arguments: parse(item.arguments) })),
      reason:
        cut === "max_output_tokens"
          ? "length"
          : refusal
            ? "refused"
            : calls.length > 0
              ? "tool_calls"
              : "stop",
      usage: {
        input: (usage.input_tokens ?? 0) - cacheRead,
        output: usage.output_tokens ?? 0,
        cacheRead,
        cacheWrite: 0,
        reasoning: usage.output_tokens_details?.reasoning_tokens ?? 0,
      },
    };
  },

  chat(payloads) {
    const choices = payloads.flatMap((p) => (p.choices ?? []).slice(0, 1));
    const deltas = choices.map((choice) => choice.delta ?? {});
    const finish = choices.map((choice) => choice.finish_reason).find(Boolean);
    const parts = deltas.flatMap((delta) => (Array.isArray(delta.content) ? delta.content : []));
    const pieces = deltas.flatMap((delta) => delta.tool_calls ?? []);
    const ids = [...new Set(pieces.map((piece) => piece.id).filter(Boolean))];
    // A piece without an id belongs to the call that last used its index.
    const byId = new Map(ids.map((id) => [id, { id, name: "", json: "" }]));
    const current = new Map();
    for (const piece of pieces) {
      if (piece.id) current.set(piece.index ?? 0, piece.id);
      const call = byId.get(piece.id || current.get(piece.index ?? 0));
      if (!call) continue;
      call.name ||= piece.function?.name ?? "";
      call.json += piece.function?.arguments ?? "";
    }
    const calls = [...byId.values()].filter(
      (call) => isJson(call.json) && !(finish === "length" && call.json === ""),
    );
    const usage = payloads.map((p) => p.usage ?? p.x_groq?.usage).findLast(Boolean) ?? {};
    const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
    const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
    const beside = usage.total_tokens === usage.prompt_tokens + usage.completion_tokens + reasoning;
    const refusal = deltas.some((delta) => delta.refusal);
    return {
      text: join(
        deltas.flatMap((delta) => [
          ...(Array.isArray(delta.content)
            ? delta.content.map((part: Payload) => part.text)
            : [delta.content]),
          delta.refusal,
        ]),
      ),
      thinking: join([
        ...deltas.map((delta) => delta.reasoning_content ?? delta.reasoning),
        ...parts.flatMap((part) =>
          part.type === "thinking" ? part.thinking.map((t: Payload) => t.text) : [],
        ),
      ]),
      calls: calls.map(({ id, name, json }) => ({ id, name, arguments: parse(json) })),
      reason: refusal
        ? "refused"
        : finish === "stop" && calls.length > 0
          ? "tool_calls"
          : finish === "content_filter"
            ? "refused"
            : finish,
      usage: {
        input:
          (usage.prompt_tokens ?? 0) - cacheRead - (usage.prompt_tokens_details?.cache_write_tokens ?? 0),
        output: (usage.completion_tokens ?? 0) + (beside ? reasoning : 0),
        cacheRead,
        cacheWrite: usage.prompt_tokens_details?.cache_write_tokens ?? 0,
        reasoning,
      },
    };
  },

  gemini(payloads) {
    const parts = payloads.flatMap((p) => p.candidates?.[0]?.content?.parts ?? []);
    const finish = payloads.map((p) => p.candidates?.[0]?.finishReason).findLast(Boolean);
    const blocked = payloads.some((p) => p.promptFeedback?.blockReason);
    const usage = Object.assign({}, ...payloads.map((p) => p.usageMetadata));
    const calls = parts.filter((part) => part.functionCall).map((part) => part.functionCall);
    const cacheRead = usage.cachedContentTokenCount ?? 0;
    const reasoning = usage.thoughtsTokenCount ?? 0;
    const words: Record<string, string> = {
      STOP: "stop",
      MAX_TOKENS: "length",
      SAFETY: "refused",
      RECITATION: "refused",
    };
    const reason = blocked ? "refused" : (words[finish] ?? "other");
    return {
      text: join(parts.map((part) => !part.thought && part.text)),
      thinking: join(parts.map((part) => part.thought && part.text)),
      calls: calls.map(({ id, name, args }) => ({ ...(id && { id }), name, arguments: args ?? {} })),
      reason: reason === "stop" && calls.length > 0 ? "tool_calls" : reason,
      usage: {
        input: (usage.promptTokenCount ?? 0) + (usage.toolUsePromptTokenCount ?? 0) - cacheRead,
        output: (usage.candidatesTokenCount ?? 0) + reasoning,
        cacheRead,
        cacheWrite: 0,
        reasoning,
      },
    };
  },

  ollama(payloads) {
    const done = payloads.findLast((p) => p.done);
    const calls = payloads.flatMap((p) => p.message?.tool_calls ?? []);
    return {
      text: join(payloads.map((p) => p.message?.content)),
      thinking: join(payloads.map((p) => p.message?.thinking)),
      calls: calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments })),
      reason: done.done_reason === "length" ? "length" : calls.length > 0 ? "tool_calls" : "stop",
      usage: {
        input: done.prompt_eval_count ?? 0,
        output: done.eval_count ?? 0,
        cacheRead: 0,
        cacheWrite: 0,
        reasoning: 0,
      },
    };
  },
};
