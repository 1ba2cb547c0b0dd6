import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../model/json.ts";
import type { Endpoint } from "../../http/endpoint.ts";
import { decode } from "./decode.ts";

const endpoint: Endpoint = {
  provider: "ollama",
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
};

const said = (message: JsonObject): JsonObject => ({ model: "m", message, done: false });
const done = (fields: JsonObject = {}): JsonObject => ({
  model: "m",
  done: true,
  done_reason: "stop",
  ...fields,
});

function decoded(...payloads: readonly JsonObject[]) {
  const decoder = decode(endpoint);
  return [...payloads.flatMap((payload) => [...decoder.push(payload)]), ...decoder.end()];
}

describe("an Ollama answer", () => {
  it("has thinking, text and calls, and the counts at its end", () => {
    const fn = { name: "read", arguments: { path: "a" } };
    expect(
      decoded(
        said({ thinking: "Hm.", content: "" }),
        said({ content: "So:" }),
        said({ content: "", tool_calls: [{ id: "c1", function: fn }] }),
        done({ prompt_eval_count: 12, eval_count: 3 }),
      ),
    ).toEqual([
      { type: "thinking_delta", text: "Hm." },
      { type: "text_delta", text: "So:" },
      { type: "tool_call_started", callId: "c1", name: "read" },
      { type: "tool_call_args_delta", callId: "c1", text: '{"path":"a"}' },
      { type: "tool_call_ready", call: { id: "c1", ...fn } },
      {
        type: "response_completed",
        reason: "tool_calls",
        usage: {
          inputTokens: 12,
          outputTokens: 3,
          cacheReadTokens: 0,
          cacheWriteTokens: 0,
          reasoningTokens: 0,
        },
        providerReason: "stop",
        model: "m",
      },
    ]);
  });

  it("of an older server has calls without ids, which get one each", () => {
    const fn = { function: { name: "list", arguments: {} } };
    const ids = decoded(said({ tool_calls: [fn, fn] }), done()).flatMap((event) =>
      event.type === "tool_call_ready" ? [event.call.id] : [],
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("may say its last words with its end", () => {
    const events = decoded(done({ message: { content: "Bye." } }));
    expect(events.map((event) => event.type)).toEqual(["text_delta", "response_completed"]);
  });

  it("cut by the limit says so, even after a call", () => {
    const events = decoded(
      said({ tool_calls: [{ function: { name: "list" } }] }),
      done({ done_reason: "length" }),
    );
    expect(events.at(-1)).toMatchObject({ reason: "length" });
  });

  it("with an error in its middle is that failure", () => {
    expect(() =>
      decoded(said({ content: "Hi" }), { error: "model runner has unexpectedly stopped" }),
    ).toThrow(
      expect.objectContaining({ name: "ModelError", message: "model runner has unexpectedly stopped" }),
    );
  });
});
