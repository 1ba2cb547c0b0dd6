import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { wireProviders } from "../../../test/support/open-wire.ts";
import { type AnswerPart, type WireName, writeAnswer } from "../../../test/support/wire-answers.ts";
import { MessageAssembler } from "../../model/assemble-message.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { userMessage } from "../../model/message.ts";
import { ModelError } from "../../model/model-error.ts";
import type { ModelEvent } from "../../model/model-event.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { anthropicMessages } from "./anthropic/anthropic-messages.ts";
import { chatCompletions } from "./chat/chat-completions.ts";
import { chatDialects } from "./chat/dialect.ts";
import { gemini } from "./gemini/gemini.ts";
import { ollamaChat } from "./ollama/ollama-chat.ts";
import { openaiResponses } from "./responses/openai-responses.ts";
import type { WireFormat } from "./wire-format.ts";

const formats: Readonly<Record<WireName, WireFormat>> = {
  anthropic: anthropicMessages,
  responses: openaiResponses,
  chat: chatCompletions(chatDialects.openrouter, "openrouter"),
  gemini,
  ollama: ollamaChat,
};

const endpointOf = (wire: WireName): Endpoint => ({
  provider: wire === "chat" ? "openrouter" : wireProviders[wire],
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
});

/** Fields and words that the formats know, so that random payloads get beyond the first question. */
const knownKeys = [
  "type",
  "index",
  "delta",
  "content_block",
  "message",
  "usage",
  "choices",
  "tool_calls",
  "function",
  "arguments",
  "name",
  "id",
  "finish_reason",
  "finishReason",
  "done_reason",
  "incomplete_details",
  "reason",
  "reasoning_details",
  "candidates",
  "content",
  "parts",
  "text",
  "functionCall",
  "args",
  "item",
  "output_index",
  "response",
  "done",
  "thinking",
  "error",
  "code",
  "details",
  "stop_reason",
  "summary",
  "usageMetadata",
  "promptFeedback",
  "encrypted_content",
  "partial_json",
  "signature",
  "input",
];
const knownWords = [
  "message_start",
  "content_block_start",
  "content_block_delta",
  "content_block_stop",
  "message_delta",
  "tool_use",
  "input_json_delta",
  "thinking_delta",
  "signature_delta",
  "response.output_item.added",
  "response.output_item.done",
  "response.function_call_arguments.delta",
  "response.completed",
  "function_call",
  "reasoning",
  "reasoning.text",
  "redacted_thinking",
  "text",
  "thinking",
  "stop",
  "length",
  "tool_calls",
  "constructor",
  "__proto__",
];

const { value: anyJson } = fc.letrec<{ value: JsonValue; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<JsonValue[]>(null, true, false, 0, 1, -1, 1e308, ...knownWords),
    fc.string(),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(fc.constantFrom(...knownKeys), tie("value"), { maxKeys: 6 }),
}));
const payload = fc.dictionary(fc.constantFrom(...knownKeys), anyJson, { maxKeys: 8 });

const eventTypes = new Set<ModelEvent["type"]>([
  "text_delta",
  "thinking_delta",
  "tool_call_started",
  "tool_call_args_delta",
  "tool_call_ready",
  "response_completed",
  "trace",
]);

function decodeAll(wire: WireName, payloads: readonly JsonObject[]): ModelEvent[] {
  const decoder = formats[wire].decode(endpointOf(wire));
  return [...payloads.flatMap((each) => [...decoder.push(each)]), ...decoder.end()];
}

describe.each(Object.keys(formats) as WireName[])("whatever %s sends", (wire) => {
  it("gives events, or a ModelError, and never anything else", () => {
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 6 }), (payloads) => {
        let events: ModelEvent[];
        try {
          events = decodeAll(wire, payloads);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
          return;
        }
        expect(events.filter((event) => !eventTypes.has(event.type))).toEqual([]);
        expect(events.filter((event) => event.type === "response_completed")).toEqual([events.at(-1)]);
        expect(events.at(-1)).toHaveProperty("reason", expect.any(String));
        const assembler = new MessageAssembler();
        for (const event of events) assembler.add(event);
        const { message, usage } = assembler.snapshot();
        for (const count of Object.values(usage)) expect(count).toBeGreaterThanOrEqual(0);
        // What was read can be written again.
        formats[wire].encode({ model: "m", messages: [userMessage("Hi"), message] }, undefined);
      }),
      { numRuns: 300 },
    );
  });

  const name = fc.stringMatching(/^[a-z_]{1,12}$/);
  const part: fc.Arbitrary<AnswerPart> = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.record({ call: name, arguments: fc.dictionary(name, fc.jsonValue(), { maxKeys: 3 }) }),
  );

  it("is read as it was written: every text and every call, in order", () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), (parts) => {
        const payloads = payloadsIn(wire, writeAnswer(wire, parts));
        const assembler = new MessageAssembler();
        for (const event of decodeAll(wire, payloads)) assembler.add(event);
        const { message, calls, unfinished } = assembler.snapshot();
        const texts = message.content.map((each) => (each.type === "text" ? each.text : "")).join("");
        expect(texts).toBe(parts.filter((each) => typeof each === "string").join(""));
        const wanted = parts.flatMap((each) => (typeof each === "object" && "call" in each ? [each] : []));
        expect(calls.map((call) => [call.name, call.arguments])).toEqual(
          wanted.map((each) => [each.call, JSON.parse(JSON.stringify(each.arguments))]),
        );
        expect(new Set(calls.map((call) => call.id)).size).toBe(calls.length);
        expect(unfinished).toEqual([]);
      }),
    );
  });
});

function payloadsIn(wire: WireName, body: string): readonly JsonObject[] {
  const lines =
    wire === "ollama" ? body.split("\n") : body.split("\n").map((line) => /^data: (\{.*)$/.exec(line)?.[1]);
  return lines.flatMap((line) => {
    const value: unknown = line ? JSON.parse(line) : undefined;
    return isJsonObject(value) ? [value] : [];
  });
}

/** Reads an answer and writes it into the next request, as it goes in a loop of calls. */
function replayed(wire: WireName, payloads: readonly JsonObject[]): JsonObject {
  const assembler = new MessageAssembler();
  for (const event of decodeAll(wire, payloads)) assembler.add(event);
  const { message, calls } = assembler.snapshot();
  const results = calls.map(({ id, name }) => ({
    role: "tool" as const,
    callId: id,
    toolName: name,
    content: [{ type: "text" as const, text: "done" }],
    isError: false,
  }));
  return formats[wire].encode({ model: "m", messages: [userMessage("Hi"), message, ...results] }, undefined)
    .body;
}

describe("an id that we make up", () => {
  it.each([
    [
      "chat",
      {
        id: `chatcmpl-${"x".repeat(40)}`,
        choices: [{ delta: { tool_calls: [{ function: { name: "list" } }] }, finish_reason: "stop" }],
      },
    ],
    [
      "gemini",
      {
        responseId: "k3gYaZ2UKMWbz7IP4f7JqQs",
        candidates: [{ content: { parts: [{ functionCall: { name: "list" } }] } }],
      },
    ],
    ["ollama", { message: { tool_calls: [{ function: { name: "list" } }] }, done: true }],
  ] as const)("for a call of %s is one that any other provider takes, too", (wire, answer) => {
    const ids = decodeAll(wire, [answer]).flatMap((event) =>
      event.type === "tool_call_ready" ? [event.call.id] : [],
    );
    expect(ids).toEqual([expect.stringMatching(/^[a-zA-Z0-9_-]{1,40}$/)]);
  });
});

describe("what a provider sealed goes back unchanged", () => {
  it("to Anthropic: signatures and redacted thinking", () => {
    const parts: AnswerPart[] = [
      { thinking: "Hm.", signature: "Eq+/=seal" },
      "So:",
      { call: "read", arguments: { a: 1 }, id: "toolu_1" },
    ];
    const redacted: JsonObject[] = [
      {
        type: "content_block_start",
        index: 9,
        content_block: { type: "redacted_thinking", data: "hidden==" },
      },
      { type: "content_block_stop", index: 9 },
    ];
    const payloads = payloadsIn("anthropic", writeAnswer("anthropic", parts));
    const body = replayed("anthropic", [...payloads.slice(0, 1), ...redacted, ...payloads.slice(1)]);
    expect(body.messages).toMatchObject([
      {},
      {
        role: "assistant",
        content: [
          { type: "redacted_thinking", data: "hidden==" },
          { type: "thinking", thinking: "Hm.", signature: "Eq+/=seal" },
          { type: "text", text: "So:" },
          { type: "tool_use", id: "toolu_1", name: "read", input: { a: 1 } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1" }] },
    ]);
  });

  it("to OpenAI: the whole reasoning item with its encrypted content, without the id it had there", () => {
    const item = {
      type: "reasoning",
      id: "rs_1",
      status: "completed",
      summary: [{ type: "summary_text", text: "Hm." }],
      encrypted_content: "gAAA==",
    };
    const call = { type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: '{"a":1}' };
    const body = replayed("responses", [
      {
        type: "response.output_item.added",
        output_index: 0,
        item: { ...item, summary: [], encrypted_content: null },
      },
      { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "Hm." },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.output_item.done", output_index: 1, item: { ...call, status: "completed" } },
      { type: "response.completed", response: { id: "r", status: "completed" } },
    ]);
    expect(body.input).toEqual([
      { role: "user", content: [{ type: "input_text", text: "Hi" }] },
      { type: "reasoning", summary: item.summary, encrypted_content: "gAAA==" },
      { type: "function_call", call_id: "call_1", name: "read", arguments: '{"a":1}' },
      { type: "function_call_output", call_id: "call_1", output: "done" },
    ]);
  });

  it("to Gemini: thought signatures on thoughts, texts and calls, and the ids it gave", () => {
    const chunk = (...parts: JsonObject[]): JsonObject => ({ candidates: [{ content: { parts } }] });
    const body = replayed("gemini", [
      chunk({ text: "Hm.", thought: true, thoughtSignature: "t1==" }),
      chunk({ text: "So:" }, { text: "", thoughtSignature: "t2==" }),
      chunk({ functionCall: { name: "read", args: { a: 1 }, id: "g1" }, thoughtSignature: "t3==" }),
      chunk({ functionCall: { name: "read", args: { a: 2 } } }),
      { candidates: [{ finishReason: "STOP" }] },
    ]);
    expect(body.contents).toEqual([
      { role: "user", parts: [{ text: "Hi" }] },
      {
        role: "model",
        parts: [
          { text: "Hm.", thought: true, thoughtSignature: "t1==" },
          { text: "So:", thoughtSignature: "t2==" },
          { functionCall: { name: "read", args: { a: 1 }, id: "g1" }, thoughtSignature: "t3==" },
          { functionCall: { name: "read", args: { a: 2 } } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { name: "read", id: "g1", response: { output: "done" } } },
          { functionResponse: { name: "read", response: { output: "done" } } },
        ],
      },
    ]);
  });

  it("to OpenRouter: its record of the thinking, put together from its pieces", () => {
    const delta = (fields: JsonObject, finish: string | null = null): JsonObject => ({
      id: "r",
      choices: [{ index: 0, delta: fields, finish_reason: finish }],
    });
    const detail = (fields: JsonObject) => ({
      type: "reasoning.text",
      index: 0,
      format: "anthropic-claude-v1",
      ...fields,
    });
    const body = replayed("chat", [
      delta({ reasoning: "H", reasoning_details: [detail({ text: "H" })] }),
      delta({ reasoning: "m.", reasoning_details: [detail({ text: "m.", signature: null })] }),
      delta({ reasoning_details: [detail({ signature: "seal==" })] }),
      delta({ reasoning_details: [detail({ text: "", signature: null })] }),
      delta({ reasoning_details: [{ type: "reasoning.encrypted", index: 1, data: "hidden==" }] }),
      delta({ tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: "{}" } }] }),
      delta({}, "tool_calls"),
    ]);
    expect(body.messages).toEqual([
      { role: "user", content: "Hi" },
      {
        role: "assistant",
        content: null,
        reasoning_details: [
          detail({ text: "Hm.", signature: "seal==" }),
          { type: "reasoning.encrypted", index: 1, data: "hidden==" },
        ],
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "done" },
    ]);
  });
});
