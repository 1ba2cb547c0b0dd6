import { afterAll, describe, expect, it } from "vitest";
import { ModelServer } from "../../../test/support/model-server.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { closeIdleConnections } from "../http/http-transport.ts";
import { contextLength, describeOllamaModel } from "./ollama-model.ts";

afterAll(() => closeIdleConnections());

const gigabyte = 2 ** 30;

/** 36 layers of 8 heads of 128 for keys and as much for values, 16 bits each: 147,456 bytes a token. */
const model = (facts: JsonObject = {}): JsonObject => ({
  model_info: {
    "general.architecture": "qwen3",
    "qwen3.context_length": 40_960,
    "qwen3.block_count": 36,
    "qwen3.embedding_length": 4_096,
    "qwen3.attention.head_count": 32,
    "qwen3.attention.head_count_kv": 8,
    "qwen3.attention.key_length": 128,
    "qwen3.attention.value_length": 128,
    ...facts,
  },
});

describe("the context length", () => {
  it.each([
    ["is the trained one where there is room", model(), Number.POSITIVE_INFINITY, 40_960],
    ["is the trained one when it just fits", model(), 40_960 * 147_456, 40_960],
    ["is halved when it does not", model(), 40_960 * 147_456 - 1, 20_480],
    ["is halved until it fits", model(), 2 * gigabyte, 10_240],
    ["is never halved below 8,192", model(), 1, 10_240],
    ["stays as it is when even that is less", model({ "qwen3.context_length": 4_096 }), 1, 4_096],
    [
      "is what the author chose, whatever the memory",
      { ...model(), parameters: 'stop "<|im_end|>"\nnum_ctx    65536\n' },
      1,
      65_536,
    ],
    [
      "does not take another parameter for it",
      { ...model(), parameters: "my_num_ctx 5\n" },
      2 * gigabyte,
      10_240,
    ],
    [
      "is reckoned with the head size where the key length is left out",
      model({ "qwen3.attention.key_length": 0, "qwen3.attention.value_length": 0 }),
      2 * gigabyte,
      10_240,
    ],
    [
      "is the trained one where the model tells nothing of its shape",
      { model_info: { "general.architecture": "a", "a.context_length": 8_192 } },
      1,
      8_192,
    ],
    ["is unknown where nothing is told", {}, gigabyte, undefined],
    [
      "is unknown for facts of the wrong sort",
      { model_info: { "general.architecture": 5, "a.context_length": "8192" } },
      gigabyte,
      undefined,
    ],
  ])("%s", (_, shown, memory, expected) => {
    expect(contextLength(shown, memory)).toBe(expected);
  });
});

describe("what Ollama says of a model", () => {
  async function described(shown: JsonObject | string, known?: Parameters<typeof describeOllamaModel>[2]) {
    await using server = await ModelServer.start();
    server.at("/api/show", { body: typeof shown === "string" ? shown : JSON.stringify(shown) });
    const endpoint: Endpoint = {
      provider: "ollama",
      baseURL: server.url,
      headers: {},
      secrets: [],
      idleTimeoutMs: 5_000,
    };
    return await describeOllamaModel(endpoint, "m", known);
  }

  it("tells what it can do", async () => {
    expect(await described({ capabilities: ["completion", "tools", "vision", "thinking"] })).toEqual({
      id: "m",
      name: "m",
      images: true,
    });
    expect(await described({ capabilities: ["completion"] })).toEqual({
      id: "m",
      name: "m",
      images: false,
      thinking: false,
      tools: false,
    });
  });

  it("leaves open what an older server does not tell", async () => {
    expect(await described({})).toEqual({ id: "m", name: "m", images: false });
  });

  it("gives way to settings", async () => {
    const known = { id: "m", name: "Mine", images: true, tools: true, contextWindow: 5_000 };
    expect(await described({ capabilities: ["completion"], parameters: "num_ctx 1" }, known)).toEqual({
      ...known,
      thinking: false,
    });
  });

  it.each(["", "not json", "[]", "<html>"])("is what settings know when the answer is %j", async (body) => {
    const known = { id: "m", name: "Mine", images: true };
    expect(await described(body, known)).toBe(known);
  });
});
