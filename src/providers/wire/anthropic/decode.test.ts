import { describe, expect, it } from "vitest";
import { decodeAll } from "../../../../test/support/decode-all.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { decode } from "./decode.ts";

const endpoint: Endpoint = {
  provider: "anthropic",
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
};

const start = (index: number, block: JsonObject) => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const delta = (index: number, change: JsonObject) => ({ type: "content_block_delta", index, delta: change });
const stop = (index: number) => ({ type: "content_block_stop", index });
const end = (reason: string, usage: JsonObject = {}) => ({
  type: "message_delta",
  delta: { stop_reason: reason },
  usage,
});
const json = (partial: string) => ({ type: "input_json_delta", partial_json: partial });
const toolUse = (id: string) => ({ type: "tool_use", id, name: "read", input: {} });

const decoded = (...payloads: readonly JsonObject[]) => decodeAll(decode(endpoint), payloads);

describe("calls of an Anthropic answer", () => {
  it("may be streamed beside each other", () => {
    const { calls } = decoded(
      start(0, toolUse("a")),
      start(1, toolUse("b")),
      delta(1, json('{"path":"2"}')),
      delta(0, json('{"path":')),
      stop(1),
      delta(0, json('"1"}')),
      stop(0),
      end("tool_use"),
    );
    expect(calls.map((call) => [call.id, call.arguments])).toEqual([
      ["b", { path: "2" }],
      ["a", { path: "1" }],
    ]);
  });

  it("may come with all their input at once", () => {
    const { calls, events } = decoded(
      start(0, { ...toolUse("a"), input: { path: "1" } }),
      stop(0),
      end("tool_use"),
    );
    expect(calls[0]?.arguments).toEqual({ path: "1" });
    expect(events).toContainEqual({ type: "tool_call_args_delta", callId: "a", text: '{"path":"1"}' });
  });

  it("without arguments have none", () => {
    expect(decoded(start(0, toolUse("a")), stop(0), end("tool_use")).calls[0]?.arguments).toEqual({});
  });

  it.each(["max_tokens", "model_context_window_exceeded", "refusal"])(
    "cut in the middle stay unfinished (%s), those before are whole",
    (reason) => {
      const { calls, unfinished } = decoded(
        start(0, toolUse("a")),
        delta(0, json("{}")),
        stop(0),
        start(1, toolUse("b")),
        delta(1, json('{"path":"1')),
        stop(1),
        end(reason),
      );
      expect(calls.map((call) => call.id)).toEqual(["a"]);
      expect(unfinished).toEqual([{ callId: "b", name: "read", argumentsText: '{"path":"1' }]);
    },
  );

  it("badly written by the model are given as they are, to be answered with an error", () => {
    const { calls } = decoded(start(0, toolUse("a")), delta(0, json('{"path":')), stop(0), end("tool_use"));
    expect(calls).toEqual([{ id: "a", name: "read", arguments: {}, malformedArguments: '{"path":' }]);
  });
});

describe("an Anthropic answer", () => {
  it("keeps the signature of its thinking, also when it comes in pieces", () => {
    const { message } = decoded(
      start(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "Hm." }),
      delta(0, { type: "signature_delta", signature: "se" }),
      delta(0, { type: "signature_delta", signature: "al" }),
      stop(0),
      start(1, { type: "redacted_thinking", data: "hidden" }),
      stop(1),
      end("end_turn"),
    );
    const origin = "anthropic-messages";
    expect(message.content).toEqual([
      { type: "thinking", text: "Hm.", signature: { origin, value: "seal" } },
      { type: "thinking", text: "", signature: { origin, value: { data: "hidden" } } },
    ]);
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["tool_use", "tool_calls"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "refused"],
    ["pause_turn", "paused"],
    ["something_new", "other"],
  ])("that ends with %s has the reason %s", (word, reason) => {
    expect(decoded(end(word)).events.at(-1)).toMatchObject({ reason, providerReason: word });
  });

  it("reports usage from its beginning and its end, where nulls change nothing", () => {
    const first = {
      input_tokens: 10,
      cache_read_input_tokens: 20,
      cache_creation_input_tokens: 30,
      output_tokens: 1,
    };
    const { usage } = decoded(
      { type: "message_start", message: { usage: first } },
      end("end_turn", { output_tokens: 7, input_tokens: null, cache_read_input_tokens: null }),
    );
    expect(usage).toEqual({
      inputTokens: 10,
      outputTokens: 7,
      cacheReadTokens: 20,
      cacheWriteTokens: 30,
      reasoningTokens: 0,
    });
  });

  it("is traced where it holds what nobody knows, and goes on", () => {
    const { events } = decoded(
      { type: "surprise", n: 1 },
      start(0, { type: "server_tool_use", id: "x" }),
      delta(0, { type: "novel_delta" }),
      stop(0),
      { type: "ping" },
      {},
      end("end_turn"),
    );
    expect(events.map((event) => (event.type === "trace" ? event.name : event.type))).toEqual([
      "surprise",
      "server_tool_use",
      "novel_delta",
      "unknown",
      "response_completed",
    ]);
  });

  it("with an error in its middle is that failure", () => {
    const failed = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(() => decoded(start(0, { type: "text", text: "Hi" }), failed)).toThrow(
      expect.objectContaining({ kind: "overloaded", code: "overloaded_error" }),
    );
  });
});
