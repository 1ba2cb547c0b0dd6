import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { ModelServer } from "../../test/support/model-server.ts";
import { helloRequest, outcomeOf } from "../../test/support/open-wire.ts";
import { ConfigurationError } from "./credentials.ts";
import { closeIdleConnections } from "./http/http-transport.ts";
import { type OpenModelOptions, openModel } from "./open-model.ts";
import { providerPresets } from "./provider-preset.ts";

afterAll(() => closeIdleConnections());

const open = (reference: string, options: Partial<OpenModelOptions> = {}) =>
  openModel(reference, { providers: {}, env: {}, configFolder: "/nonexistent", ...options });

async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => expect.fail("nothing was thrown"),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  return error instanceof Error ? error.message : "";
}

describe("opening a model", () => {
  it.each(["gpt-5", "", "/x", "openai/"])(
    "refuses %j, which names none, and shows how one is written",
    async (bad) => {
      expect(await failure(open(bad))).toBe(
        `"${bad}" is not a model. Write provider/model, such as ollama/qwen3:8b.`,
      );
    },
  );

  it("lists the providers there are when it does not know the one asked for", async () => {
    const mine = { type: "openai-compatible", baseURL: "http://127.0.0.1:1" } as const;
    const message = await failure(open("nobody/claude", { providers: { mine } }));
    expect(message).toContain('There is no provider "nobody". Known are mine, ');
    for (const name of Object.keys(providerPresets)) expect(message).toContain(name);
  });

  it.each(["constructor/x", "__proto__/x", "hasOwnProperty/x"])("knows no %s", async (reference) => {
    expect(await failure(open(reference))).toContain("There is no provider");
  });

  it("names the variable when the key is missing", async () => {
    expect(await failure(open("xai/grok-4.7"))).toContain("Set XAI_API_KEY");
    expect(await failure(open("deepseek/deepseek-v4-pro"))).toContain("Set DEEPSEEK_API_KEY");
  });

  it("tells what is known of the model, with what settings say laid over it", async () => {
    const env = { ANTHROPIC_API_KEY: "sk-123456" };
    const known = await open("anthropic/claude-opus-5-5:high", { env });
    expect(known).toMatchObject({
      provider: "anthropic",
      id: "claude-opus-5-5",
      thinking: "high",
      toolCalling: "native",
      facts: { contextWindow: 1_000_000 },
    });
    const models = { "claude-opus-5-5": { contextWindow: 5_000, toolCalling: "text" as const }, own: {} };
    const providers = { anthropic: { models } };
    const changed = await open("anthropic/claude-opus-5-5", { env, providers });
    expect(changed).toMatchObject({ toolCalling: "text", facts: { contextWindow: 5_000, images: true } });
    expect(changed.facts).not.toHaveProperty("toolCalling");
    expect((await open("anthropic/own", { env, providers })).facts).toEqual({
      id: "own",
      name: "own",
      images: false,
    });
    expect((await open("anthropic/never-heard-of", { env })).facts).toBeUndefined();
  });

  it.each(["constructor", "__proto__", "toString"])(
    "takes the model id %s for a name like any other",
    async (id) => {
      const env = { ANTHROPIC_API_KEY: "sk-123456" };
      const providers = { anthropic: { models: { other: {} } } };
      expect(await open(`anthropic/${id}`, { env, providers })).toMatchObject({
        id,
        facts: undefined,
        toolCalling: "native",
      });
    },
  );

  it("takes text tool calling from the provider where the model says nothing", async () => {
    const mine = { type: "openai-compatible", baseURL: "http://127.0.0.1:1", toolCalling: "text" } as const;
    expect(await open("mine/any", { providers: { mine } })).toMatchObject({ toolCalling: "text" });
  });
});

describe("OPENAI_BASE_URL", () => {
  const env = (url: string) => ({ OPENAI_BASE_URL: url, OPENAI_API_KEY: "sk-123456" });

  it("may lead to a server that knows only chat completions: found out once, and remembered", async () => {
    await using server = await ModelServer.start();
    server.at("/v1/responses", { status: 404, body: '{"detail":"Not Found"}' }).answer(["Hi"]);
    const { stream } = await open("openai/some-model", { env: env(server.url) });
    for (let turn = 0; turn < 2; turn++) {
      const { events, error } = await outcomeOf(stream, { ...helloRequest, maxOutputTokens: 7 });
      expect(error).toBeUndefined();
      expect(events[0]).toEqual({ type: "text_delta", text: "Hi" });
    }
    expect(server.requests.map((request) => request.path)).toEqual([
      "/v1/responses",
      "/v1/chat/completions",
      "/v1/chat/completions",
    ]);
    expect(server.requests[1]?.body).toMatchObject({ model: "test-model", max_completion_tokens: 7 });
    expect(server.requests[1]?.headers.authorization).toBe("Bearer sk-123456");
  });

  it.each([
    [404, "<html>404 Not Found</html>"],
    [405, '{"error":"Method Not Allowed"}'],
    [501, ""],
    [404, '{"error":{"code":404,"message":"File Not Found","type":"not_found_error"}}'],
    [200, '{"error":"Unexpected endpoint or method. (POST /v1/responses)"}'],
  ])("leads to chat completions after HTTP %i %s", async (status, body) => {
    await using server = await ModelServer.start();
    server.at("/v1/responses", { status, body }).answer(["Hi"]);
    const { stream } = await open("openai/some-model", { env: env(server.url) });
    expect((await outcomeOf(stream)).error).toBeUndefined();
  });

  it.each([
    [404, '{"error":{"message":"The model `nine` does not exist","code":"model_not_found"}}', "not_found"],
    [401, '{"error":{"message":"Invalid API key"}}', "auth"],
    [400, '{"error":{"message":"bad input"}}', "bad_request"],
    [500, "", "overloaded"],
  ])("does not hide HTTP %i %s behind a second try", async (status, body, kind) => {
    await using server = await ModelServer.start();
    server.at("/v1/responses", { status, body }).answer(["Hi"]);
    const { stream } = await open("openai/some-model", { env: env(server.url) });
    expect((await outcomeOf(stream)).error).toMatchObject({ kind });
    expect(server.requests).toHaveLength(1);
  });

  it("keeps to the Responses API where it is known", async () => {
    await using server = await ModelServer.start();
    server.answer(["Hi"]);
    const { stream } = await open("openai/some-model", { env: env(`${server.url}/v1/`) });
    await outcomeOf(stream);
    expect(server.requests.map((request) => request.path)).toEqual(["/v1/responses"]);
  });
});

describe("Ollama", () => {
  it("is asked for the model's context length, which is then set in every request", async () => {
    await using server = await ModelServer.start();
    const info = { "general.architecture": "tiny", "tiny.context_length": 16_384 };
    const shown = { capabilities: ["completion", "tools"], model_info: info };
    server.at("/api/show", { body: JSON.stringify(shown) }).answer(["Hi"]);
    const { stream, facts } = await open("ollama/qwen3:8b", { env: { OLLAMA_HOST: server.url } });
    expect(facts).toEqual({
      id: "qwen3:8b",
      name: "qwen3:8b",
      images: false,
      thinking: false,
      contextWindow: 16_384,
    });
    await outcomeOf(stream, { ...helloRequest, model: "qwen3:8b" });
    expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
      ["/api/show", { model: "qwen3:8b" }],
      ["/api/chat", expect.objectContaining({ model: "qwen3:8b", options: { num_ctx: 16_384 } })],
    ]);
  });

  it("keeps to the context length of settings", async () => {
    await using server = await ModelServer.start();
    const info = { "general.architecture": "tiny", "tiny.context_length": 16_384 };
    server.at("/api/show", { body: JSON.stringify({ model_info: info }) }).answer(["Hi"]);
    const ollama = { baseURL: server.url, models: { mini: { contextWindow: 9_000 } } };
    const { stream } = await open("ollama/mini", { providers: { ollama } });
    await outcomeOf(stream, { ...helloRequest, model: "mini" });
    expect(server.requests.at(-1)?.body.options).toEqual({ num_ctx: 9_000 });
  });

  it("is opened even when it does not describe the model, or does not run: the request will tell", async () => {
    await using server = await ModelServer.start();
    server.at("/api/show", { status: 404, body: '{"error":"model not found"}' }).answer(["Hi"]);
    expect((await open("ollama/x", { env: { OLLAMA_HOST: server.url } })).facts).toBeUndefined();
    const { stream } = await open("ollama/x", { env: { OLLAMA_HOST: "127.0.0.1:1" } });
    expect((await outcomeOf(stream)).error).toMatchObject({ kind: "network", code: "ECONNREFUSED" });
  });
});

describe("a scripted provider", () => {
  it("plays its file, found in the configuration folder", async () => {
    const configFolder = await mkdtemp(join(tmpdir(), "open-model-"));
    onTestFinished(() => rm(configFolder, { recursive: true }));
    await writeFile(join(configFolder, "demo.json"), '[["Hello"]]');
    const providers = { demo: { type: "scripted", script: "demo.json" } } as const;
    const { stream } = await open("demo/any", { providers, configFolder });
    expect((await outcomeOf(stream)).events[0]).toEqual({ type: "text_delta", text: "Hello" });
  });
});

describe("only what the provider needs is loaded", () => {
  const source = (file: string) => new URL(file, import.meta.url).href;

  /** Runs in a process of its own, where a hook writes down each module as it is loaded. */
  async function modulesLoadedBy(reference: string, providers: object): Promise<readonly string[]> {
    const script = `
      import { registerHooks } from "node:module";
      const loaded = [];
      registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
      const { openModel } = await import(${JSON.stringify(source("./open-model.ts"))});
      const before = loaded.length;
      const { stream } = await openModel(${JSON.stringify(reference)}, {
        providers: ${JSON.stringify(providers)}, env: {}, configFolder: "/nonexistent",
      });
      try {
        for await (const _ of stream({ model: "m", messages: [] }, new AbortController().signal));
      } catch {} // nothing listens there
      console.log(JSON.stringify(loaded));
      process.exit();
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    return JSON.parse(stdout);
  }

  const nowhere = { baseURL: "http://127.0.0.1:1", apiKey: "sk-123456" };

  it.each([
    ["anthropic/m", { anthropic: nowhere }, ["anthropic"]],
    ["google/m", { google: nowhere }, ["gemini"]],
    ["groq/m", { groq: nowhere }, ["chat"]],
    ["ollama/m", { ollama: nowhere }, ["ollama"]],
    // A server behind an address of one's own may know only chat completions.
    ["openai/m", { openai: nowhere }, ["chat", "responses"]],
  ])(
    "%s: of the wire formats its own alone, and no foreign package",
    async (reference, providers, expected) => {
      const loaded = await modulesLoadedBy(reference, providers);
      const wires = loaded.flatMap((url) => /\/wire\/([^/]+)\/[^/]+\.ts$/.exec(url)?.[1] ?? []);
      expect([...new Set(wires)].sort()).toEqual(expected);
      expect(loaded.filter((url) => /\/ai-sdk\/|\/scripted\/|\/discovery\/|\/zod\//.test(url))).toEqual([]);
    },
  );
});
