import { describe, expect, it } from "vitest";
import { MessageAssembler } from "../../../model/assemble-message.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { decode } from "./decode.ts";

const endpoint: Endpoint = {
  provider: "google",
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
};

const chunk = (...parts: readonly JsonObject[]): JsonObject => ({
  candidates: [{ content: { role: "model", parts } }],
  responseId: "r1",
});
const end = (finishReason: string): JsonObject => ({ candidates: [{ finishReason }] });

function decoded(...payloads: readonly JsonObject[]) {
  const decoder = decode(endpoint);
  const events = payloads.flatMap((payload) => [...decoder.push(payload)]);
  const finished = decoder.finished();
  const all = [...events, ...decoder.end()];
  const assembler = new MessageAssembler();
  for (const event of all) assembler.add(event);
  return { events: all, finished, ...assembler.snapshot() };
}

describe("a Gemini answer", () => {
  it("may have several parallel calls in one chunk, each with an id of its own", () => {
    const call = (path: string) => ({ functionCall: { name: "read", args: { path } } });
    const { calls, reason } = decoded(chunk(call("1"), call("2")), chunk(call("3")), end("STOP"));
    expect(calls.map(({ id, arguments: args }) => [id, args.path])).toEqual([
      ["call_r1_0", "1"],
      ["call_r1_1", "2"],
      ["call_r1_2", "3"],
    ]);
    expect(reason).toBe("tool_calls");
  });

  it("may have a call without arguments", () => {
    expect(decoded(chunk({ functionCall: { name: "list" } }), end("STOP")).calls[0]).toMatchObject({
      name: "list",
      arguments: {},
    });
  });

  it("gives calls ids that no other answer has when the provider names neither", () => {
    const once = () =>
      decoded({ candidates: [{ content: { parts: [{ functionCall: { name: "list" } }] } }] }).calls[0]?.id;
    expect(once()).not.toBe(once());
  });

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "refused"],
    ["RECITATION", "refused"],
    ["PROHIBITED_CONTENT", "refused"],
    ["MALFORMED_FUNCTION_CALL", "other"],
    ["SOMETHING_NEW", "other"],
  ])("that ends with %s has the reason %s", (word, reason) => {
    expect(decoded(chunk({ text: "Hi" }), end(word))).toMatchObject({ finished: true, reason });
  });

  it("to a prompt that was blocked is refused, though no candidate says so", () => {
    const { events, finished } = decoded({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } });
    expect(finished).toBe(true);
    expect(events).toEqual([
      expect.objectContaining({
        type: "response_completed",
        reason: "refused",
        providerReason: "PROHIBITED_CONTENT",
      }),
    ]);
  });

  it("is not whole before a reason has come", () => {
    expect(decoded(chunk({ text: "Hi" })).finished).toBe(false);
  });

  it("counts thoughts as output, and cached tokens apart", () => {
    const usageMetadata = {
      promptTokenCount: 100,
      cachedContentTokenCount: 60,
      candidatesTokenCount: 10,
      thoughtsTokenCount: 5,
      toolUsePromptTokenCount: 1,
    };
    expect(
      decoded({ usageMetadata: { promptTokenCount: 100 } }, { usageMetadata }, end("STOP")).usage,
    ).toEqual({
      inputTokens: 41,
      outputTokens: 15,
      cacheReadTokens: 60,
      cacheWriteTokens: 0,
      reasoningTokens: 5,
    });
  });

  it("is traced where it holds a part that nobody knows", () => {
    const { events } = decoded(chunk({ executableCode: { code: "1" } }, {}), end("STOP"));
    expect(events.slice(0, 2)).toEqual([
      { type: "trace", name: "executableCode", data: { executableCode: { code: "1" } } },
      { type: "trace", name: "empty_part", data: {} },
    ]);
  });

  it("with an error in its middle is that failure", () => {
    const failed = { error: { code: 503, status: "UNAVAILABLE", message: "The model is overloaded." } };
    expect(() => decoded(chunk({ text: "Hi" }), failed)).toThrow(
      expect.objectContaining({ kind: "overloaded", status: 503, code: "UNAVAILABLE" }),
    );
  });
});
