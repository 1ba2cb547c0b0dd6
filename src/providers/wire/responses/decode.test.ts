import { describe, expect, it } from "vitest";
import { decodeAll } from "../../../../test/support/decode-all.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { decode } from "./decode.ts";

const endpoint: Endpoint = {
  provider: "openai",
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
};

const item = (state: "added" | "done", index: number | undefined, value: JsonObject): JsonObject => ({
  type: `response.output_item.${state}`,
  ...(index !== undefined && { output_index: index }),
  item: value,
});
const args = (index: number, delta: string): JsonObject => ({
  type: "response.function_call_arguments.delta",
  output_index: index,
  delta,
});
const call = (id: string, json: string, status = "completed"): JsonObject => ({
  type: "function_call",
  call_id: id,
  name: "read",
  arguments: json,
  status,
});
const completed = (fields: JsonObject = {}): JsonObject => ({
  type: "response.completed",
  response: { id: "r1", model: "m", status: "completed", ...fields },
});

const decoded = (...payloads: readonly JsonObject[]) => decodeAll(decode(endpoint), payloads);

describe("calls of a Responses answer", () => {
  it("may be streamed beside each other", () => {
    const { calls, reason } = decoded(
      item("added", 0, call("a", "")),
      item("added", 1, call("b", "")),
      args(1, '{"path":"2"}'),
      args(0, '{"path":"1"}'),
      item("done", 1, call("b", '{"path":"2"}')),
      item("done", 0, call("a", '{"path":"1"}')),
      completed(),
    );
    expect(calls.map((each) => [each.id, each.arguments])).toEqual([
      ["b", { path: "2" }],
      ["a", { path: "1" }],
    ]);
    expect(reason).toBe("tool_calls");
  });

  it("keep their own arguments when a gateway does not number its items", () => {
    const { calls, unfinished } = decoded(
      item("added", undefined, call("a", "")),
      item("added", undefined, call("b", "")),
      item("done", undefined, call("a", '{"path":"1"}')),
      item("done", undefined, call("b", '{"path":"2"}')),
      completed(),
    );
    expect(calls.map((each) => [each.id, each.arguments])).toEqual([
      ["a", { path: "1" }],
      ["b", { path: "2" }],
    ]);
    expect(unfinished).toEqual([]);
  });

  it("may come whole, without a beginning", () => {
    const { events } = decoded(item("done", 0, call("a", "{}")), completed());
    expect(events.map((event) => event.type)).toEqual([
      "tool_call_started",
      "tool_call_args_delta",
      "tool_call_ready",
      "response_completed",
    ]);
  });

  it("are put together from their pieces where the end does not repeat them", () => {
    const { calls } = decoded(
      item("added", 0, call("a", "")),
      args(0, '{"path":'),
      args(0, '"1"}'),
      item("done", 0, call("a", "")),
      completed(),
    );
    expect(calls[0]?.arguments).toEqual({ path: "1" });
  });

  it("cut by the output limit stay unfinished", () => {
    const cut: JsonObject = {
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
    };
    const begun = [item("added", 0, call("a", "")), args(0, '{"pa')];
    for (const payloads of [begun, [...begun, item("done", 0, call("a", '{"pa', "incomplete"))]]) {
      const { calls, unfinished, reason } = decoded(...payloads, cut);
      expect(calls).toEqual([]);
      expect(unfinished).toEqual([{ callId: "a", name: "read", argumentsText: '{"pa' }]);
      expect(reason).toBe("length");
    }
  });
});

describe("a Responses answer", () => {
  it("sets the parts of its thinking apart", () => {
    const summary = (index: number, delta: string) => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      summary_index: index,
      delta,
    });
    const { message } = decoded(
      item("added", 0, { type: "reasoning" }),
      summary(0, "One "),
      summary(0, "thought."),
      summary(1, "Another."),
      completed(),
    );
    expect(message.content).toEqual([{ type: "thinking", text: "One thought.\n\nAnother." }]);
  });

  it("takes thinking that was never streamed from the whole item", () => {
    const whole = { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "Hm." }] };
    expect(decoded(item("done", 0, whole), completed()).message.content).toEqual([
      { type: "thinking", text: "Hm." },
    ]);
  });

  it("that is a refusal says so", () => {
    const { message, reason } = decoded({ type: "response.refusal.delta", delta: "No." }, completed());
    expect(message.content).toEqual([{ type: "text", text: "No." }]);
    expect(reason).toBe("refused");
  });

  it.each([
    [
      { error: { code: "rate_limit_exceeded", message: "Slow down. Please try again in 2s." } },
      "rate_limit",
      2_000,
    ],
    [{ error: { code: "server_error", message: "It broke." } }, "overloaded", undefined],
    [{ error: null }, "unknown", undefined],
    [{}, "unknown", undefined],
  ])("that failed with %j is a failure of the kind %s", (response, kind, retryAfterMs) => {
    expect(() => decoded({ type: "response.failed", response })).toThrow(
      expect.objectContaining({ kind, retryAfterMs }),
    );
  });

  it("counts cached tokens apart", () => {
    const usage = {
      input_tokens: 100,
      output_tokens: 20,
      input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      output_tokens_details: { reasoning_tokens: 5 },
    };
    expect(decoded(completed({ usage })).usage).toEqual({
      inputTokens: 30,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 10,
      reasoningTokens: 5,
    });
  });

  it("is traced where it holds what nobody knows, and is quiet about what it only repeats", () => {
    const { events } = decoded(
      { type: "response.surprise", n: 1 },
      item("added", 0, { type: "web_search_call" }),
      { type: "response.output_text.done", text: "again" },
      { type: "response.in_progress" },
      completed(),
    );
    expect(events.map((event) => (event.type === "trace" ? event.name : event.type))).toEqual([
      "response.surprise",
      "web_search_call",
      "response_completed",
    ]);
  });
});
