import { describe, expect, it } from "vitest";
import { decodeAll } from "../../../../test/support/decode-all.ts";
import type { JsonObject, JsonValue } from "../../../model/json.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { decode } from "./decode.ts";

const endpoint: Endpoint = {
  provider: "mine",
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
};

const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: "r1",
  model: "m",
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const calls = (...parts: readonly JsonObject[]) => chunk({ tool_calls: parts });
const piece = (fields: JsonObject, name?: string, args?: JsonValue): JsonObject => ({
  ...fields,
  function: { ...(name !== undefined && { name }), ...(args !== undefined && { arguments: args }) },
});

const decoded = (...payloads: readonly JsonObject[]) => decodeAll(decode(endpoint), payloads);

const read = (path: string, id: string) => ({ id, name: "read", arguments: { path } });

describe("calls of a chat answer", () => {
  it("in pieces, two at a time, are told apart by their index", () => {
    const { calls: made, reason } = decoded(
      calls(piece({ index: 0, id: "a" }, "read", ""), piece({ index: 1, id: "b" }, "read", "")),
      calls(piece({ index: 1 }, undefined, '{"path":')),
      calls(piece({ index: 0 }, undefined, '{"path":"1"}')),
      calls(piece({ index: 1 }, undefined, '"2"}')),
      chunk({}, "tool_calls"),
    );
    expect(made).toEqual([read("1", "a"), read("2", "b")]);
    expect(reason).toBe("tool_calls");
  });

  it.each([
    ["all numbered 0, with ids", { index: 0, id: "a" }, { index: 0, id: "b" }, ["a", "b"]],
    ["all numbered 0, without ids", { index: 0 }, { index: 0 }, ["call_r1_0", "call_r1_1"]],
    ["not numbered, with ids", { id: "a" }, { id: "b" }, ["a", "b"]],
    ["not numbered, without ids", {}, {}, ["call_r1_0", "call_r1_1"]],
    ["numbered from 1", { index: 1, id: "a" }, { index: 2, id: "b" }, ["a", "b"]],
  ])("%s, are two calls", (_, first, second, ids) => {
    const { calls: made } = decoded(
      calls(piece(first, "read", '{"path":"1"}')),
      calls(piece(second, "read", '{"path":"2"}')),
      chunk({}, "tool_calls"),
    );
    expect(made).toEqual([read("1", ids[0] ?? ""), read("2", ids[1] ?? "")]);
  });

  it.each([
    ["index and id", { index: 0, id: "a" }, "a"],
    ["the index", { index: 0 }, "call_r1_0"],
    ["the id", { id: "a" }, "a"],
    ["nothing else", {}, "call_r1_0"],
  ])("whose name is repeated in every piece, beside %s, are one call", (_, same, id) => {
    const { calls: made, events } = decoded(
      calls(piece(same, "read", "")),
      calls(piece(same, "read", '{"pa')),
      calls(piece(same, "read", 'th":"1"}')),
      chunk({}, "tool_calls"),
    );
    expect(made).toEqual([read("1", id)]);
    expect(events.filter((event) => event.type === "tool_call_started")).toHaveLength(1);
  });

  it("of different names, with nothing else to tell them apart, are two calls", () => {
    const { calls: made } = decoded(
      calls(piece({ index: 0 }, "list", "")),
      calls(piece({ index: 0 }, "status", "")),
      chunk({}, "tool_calls"),
    );
    expect(made.map(({ name, arguments: args }) => [name, args])).toEqual([
      ["list", {}],
      ["status", {}],
    ]);
  });

  it("may have their arguments as an object, as nothing, or as null", () => {
    const { calls: made } = decoded(
      calls(
        piece({ index: 0, id: "a" }, "read", { path: "1" }),
        piece({ index: 1, id: "b" }, "list"),
        piece({ index: 2, id: "c" }, "list", "null"),
        piece({ index: 3, id: "d" }, "list", null),
      ),
      chunk({}, "tool_calls"),
    );
    expect(made.map((call) => call.arguments)).toEqual([{ path: "1" }, {}, {}, {}]);
  });

  it("that are no JSON object are kept as the model wrote them", () => {
    const { calls: made } = decoded(
      calls(piece({ index: 0, id: "a" }, "read", "[1]")),
      chunk({}, "tool_calls"),
    );
    expect(made).toEqual([{ id: "a", name: "read", arguments: {}, malformedArguments: "[1]" }]);
  });

  it.each(["length", "content_filter", "something_new"])(
    "cut in the middle stay unfinished (%s)",
    (finish) => {
      const { calls: made, unfinished } = decoded(
        calls(
          piece({ index: 0, id: "a" }, "read", '{"path":"1"}'),
          piece({ index: 1, id: "b" }, "read", '{"pa'),
        ),
        chunk({}, finish),
      );
      expect(made).toEqual([read("1", "a")]);
      expect(unfinished).toEqual([{ callId: "b", name: "read", argumentsText: '{"pa' }]);
    },
  );

  it("are whole when the answer was only closed, without a word on how it ended", () => {
    const { calls: made, reason } = decoded(calls(piece({ index: 0, id: "a" }, "read", '{"path":"1"}')));
    expect(made).toEqual([read("1", "a")]);
    expect(reason).toBe("tool_calls");
  });

  it("make the answer wait for results even where the server says it just stopped", () => {
    expect(decoded(calls(piece({ index: 0, id: "a" }, "read", "{}")), chunk({}, "stop")).reason).toBe(
      "tool_calls",
    );
  });

  it("without a name are none", () => {
    const { calls: made, reason } = decoded(calls(piece({ index: 0, id: "a" }, "", "{}")), chunk({}, "stop"));
    expect(made).toEqual([]);
    expect(reason).toBe("stop");
  });

  it("get ids that no other answer has where the server names neither call nor answer", () => {
    const once = () =>
      decoded(
        { choices: [{ delta: { tool_calls: [piece({}, "read", "{}")] } }] },
        { choices: [{ delta: {}, finish_reason: "stop" }] },
      ).calls[0]?.id;
    expect(once()).not.toBe(once());
  });
});

describe("a chat answer", () => {
  it("may come whole, as a message instead of a delta", () => {
    const { message, reason } = decoded({ choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] });
    expect(message.content).toEqual([{ type: "text", text: "Hi" }]);
    expect(reason).toBe("stop");
  });

  it("has its usage in a chunk after the end, or in any before", () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 20,
      prompt_tokens_details: { cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 5 },
    };
    const expected = {
      inputTokens: 40,
      outputTokens: 20,
      cacheReadTokens: 60,
      cacheWriteTokens: 0,
      reasoningTokens: 5,
    };
    expect(decoded(chunk({ content: "Hi" }, "stop"), { choices: [], usage }).usage).toEqual(expected);
    expect(
      decoded({ ...chunk({ content: "Hi" }, "stop"), usage }, { choices: [], usage: null }).usage,
    ).toEqual(expected);
    expect(decoded(chunk({}, "stop"), { choices: [], x_groq: { usage } }).usage).toEqual(expected);
  });

  it.each([
    { prompt_tokens_details: { cached_tokens: 60 } },
    { prompt_cache_hit_tokens: 60 },
    { num_cached_tokens: 60 },
  ])("has read from the cache what it says under any of the names in use: %j", (cached) => {
    const { usage } = decoded(chunk({}, "stop"), {
      usage: { prompt_tokens: 100, completion_tokens: 1, ...cached },
    });
    expect(usage).toMatchObject({ inputTokens: 40, cacheReadTokens: 60 });
  });

  it("counts reasoning beside the output where the total says that it is", () => {
    const usage = (total: number) => ({
      prompt_tokens: 10,
      completion_tokens: 20,
      total_tokens: total,
      completion_tokens_details: { reasoning_tokens: 5 },
    });
    expect(decoded(chunk({}, "stop"), { usage: usage(35) }).usage.outputTokens).toBe(25);
    expect(decoded(chunk({}, "stop"), { usage: usage(30) }).usage.outputTokens).toBe(20);
  });

  it("that is a refusal says so", () => {
    const { message, reason } = decoded(
      chunk({ refusal: "I cannot " }),
      chunk({ refusal: "do that." }, "stop"),
    );
    expect(message.content).toEqual([{ type: "text", text: "I cannot do that." }]);
    expect(reason).toBe("refused");
    expect(decoded(chunk({}, "content_filter")).reason).toBe("refused");
  });

  it.each(["error", "insufficient_system_resource"])("that ends with %j is a failure", (finish) => {
    expect(() => decoded(chunk({ content: "Hi" }), chunk({}, finish))).toThrow(
      expect.objectContaining({ kind: "overloaded", code: finish }),
    );
  });

  it("with an error in its middle is that failure", () => {
    const failed = { error: { message: "Provider disconnected", code: 502 } };
    expect(() => decoded(chunk({ content: "Hi" }), failed)).toThrow(
      expect.objectContaining({ kind: "overloaded", status: 502, message: "Provider disconnected" }),
    );
  });

  it("with an error that stands for itself in its middle is that failure", () => {
    const failed = {
      object: "error",
      message: "Service unavailable.",
      type: "internal_server_error",
      code: "3700",
    };
    expect(() => decoded(chunk({ content: "Hi" }), failed)).toThrow(
      expect.objectContaining({ kind: "overloaded" }),
    );
  });

  it("may have its content in parts, of which the unknown are traced", () => {
    const { message, events } = decoded(
      chunk({
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
          { type: "text", text: "Hi" },
          { type: "reference", reference_ids: [1] },
        ],
      }),
      chunk({}, "stop"),
    );
    expect(message.content).toEqual([
      { type: "thinking", text: "Hm." },
      { type: "text", text: "Hi" },
    ]);
    expect(events).toContainEqual({
      type: "trace",
      name: "reference",
      data: { type: "reference", reference_ids: [1] },
    });
  });

  it("tells which model answered, and under which id", () => {
    expect(decoded(chunk({}, "stop")).events.at(-1)).toMatchObject({
      type: "response_completed",
      providerReason: "stop",
      model: "m",
      responseId: "r1",
    });
  });
});
