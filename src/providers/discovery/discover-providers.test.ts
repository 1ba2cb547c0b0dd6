import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { ModelServer, type RawAnswer } from "../../../test/support/model-server.ts";
import type { Environment } from "../credentials.ts";
import { closeIdleConnections } from "../http/http-transport.ts";
import { providerPresets } from "../provider-preset.ts";
import type { ProvidersSettings } from "../provider-settings.ts";
import { discoverProviders } from "./discover-providers.ts";

afterAll(() => closeIdleConnections());

/** Nothing listens there, so that servers of the machine the tests run on are not found. */
const nowhere = "http://127.0.0.1:1";
const quiet: ProvidersSettings = Object.fromEntries(
  Object.entries(providerPresets).flatMap(([name, preset]) =>
    preset.local ? [[name, { baseURL: nowhere }]] : [],
  ),
);

/** Patient: on a busy machine an answer may be late, and that is not what is tested. */
const patience = () => AbortSignal.timeout(20_000);

async function discovered(providers: ProvidersSettings, env: Environment = {}, signal = patience()) {
  const options = { providers: { ...quiet, ...providers }, env, configFolder: "/nonexistent" };
  const all = await discoverProviders(options, signal);
  const byName = new Map(all.map((status) => [status.name, status]));
  return (name: string) => byName.get(name) ?? expect.fail(`${name} is not listed`);
}

async function serving(answers: Readonly<Record<string, unknown>>): Promise<ModelServer> {
  const server = await ModelServer.start();
  onTestFinished(() => server[Symbol.asyncDispose]());
  for (const [path, body] of Object.entries(answers)) {
    const answer: RawAnswer = { body: typeof body === "string" ? body : JSON.stringify(body) };
    server.at(path, answer);
  }
  return server;
}

async function listening(
  handler: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(handler);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

describe("a provider in the cloud", () => {
  it("can be used when its key is there, which is not shown", async () => {
    const status = await discovered({}, { ANTHROPIC_API_KEY: "sk-secret-1" });
    expect(status("anthropic")).toMatchObject({
      title: "Anthropic",
      available: true,
      reason: "key from ANTHROPIC_API_KEY",
      defaultModel: "claude-opus-5-5",
    });
    expect(status("anthropic").models.length).toBeGreaterThan(5);
    expect(JSON.stringify(status("anthropic"))).not.toContain("sk-secret-1");
  });

  it("cannot be used without, and the variable to set is named", async () => {
    const status = await discovered({}, { ANTHROPIC_API_KEY: " " });
    for (const [name, preset] of Object.entries(providerPresets)) {
      if (preset.local) continue;
      expect(status(name)).toEqual({
        name,
        title: preset.title,
        available: false,
        reason: `no key: set ${preset.keyVariables[0]}`,
        models: [],
      });
    }
  });

  it("can be used with a key from settings; a command for it is not run", async () => {
    const status = await discovered({
      openai: { apiKey: "sk-literal-1" },
      xai: { apiKey: "!exit 1" },
      groq: { apiKey: "env:MY_GROQ" },
    });
    expect(status("openai")).toMatchObject({ available: true, reason: "key from settings" });
    expect(status("xai")).toMatchObject({ available: true, reason: "key from a command in settings" });
    expect(status("groq")).toMatchObject({ available: false, reason: "MY_GROQ is not set" });
  });

  it("can be used without a key at another address, which is shown", async () => {
    const status = await discovered({ openai: { baseURL: "https://gateway.example" } });
    expect(status("openai")).toMatchObject({ available: true, reason: "at https://gateway.example/v1" });
  });

  it("with a bad address says so", async () => {
    const status = await discovered({}, { ANTHROPIC_BASE_URL: "ftp://nowhere" });
    expect(status("anthropic")).toMatchObject({
      available: false,
      reason: "ANTHROPIC_BASE_URL is not an http(s) address: ftp://nowhere",
    });
  });

  it("lists the models of settings before its own, and what settings say of those", async () => {
    const models = { "my-tune": { contextWindow: 10 }, "grok-4.7": { contextWindow: 20 } };
    const status = await discovered({ xai: { apiKey: "sk-123456", models } });
    expect(status("xai").models[0]).toEqual({
      id: "my-tune",
      name: "my-tune",
      images: false,
      contextWindow: 10,
    });
    expect(status("xai").models.find((model) => model.id === "grok-4.7")?.contextWindow).toBe(20);
  });
});

describe("a server on this machine", () => {
  it("Ollama tells its models and what each can do", async () => {
    const server = await serving({
      "/api/tags": { models: [{ name: "qwen3:8b" }, { name: "llava" }, { odd: true }] },
      "/api/show": { capabilities: ["completion", "vision"], parameters: "num_ctx 9000" },
    });
    const status = await discovered({ ollama: { baseURL: server.url } });
    const facts = { images: true, thinking: false, tools: false, contextWindow: 9_000 };
    expect(status("ollama")).toEqual({
      name: "ollama",
      title: "Ollama",
      available: true,
      reason: `answers on ${new URL(server.url).host}`,
      models: [
        { id: "qwen3:8b", name: "qwen3:8b", ...facts },
        { id: "llava", name: "llava", ...facts },
      ],
      defaultModel: "qwen3:8b",
    });
  });

  it("Ollama is found by OLLAMA_HOST, as it is written for its server", async () => {
    const server = await serving({ "/api/tags": { models: [{ name: "m" }] } });
    const { ollama: _, ...others } = quiet;
    const options = {
      providers: others,
      env: { OLLAMA_HOST: new URL(server.url).host },
      configFolder: "/nonexistent",
    };
    const all = await discoverProviders(options, patience());
    expect(all.find((status) => status.name === "ollama")).toMatchObject({
      available: true,
      defaultModel: "m",
    });
  });

  it("LM Studio tells which models are loaded, and those come first; embeddings are left out", async () => {
    const server = await serving({
      "/api/v0/models": {
        data: [
          { id: "idle", type: "llm", state: "not-loaded", max_context_length: 4_000 },
          { id: "embed", type: "embeddings", state: "loaded" },
          {
            id: "eyes",
            type: "vlm",
            state: "loaded",
            max_context_length: 32_000,
            loaded_context_length: 8_000,
          },
        ],
      },
    });
    const status = await discovered({ lmstudio: { baseURL: `${server.url}/v1` } });
    expect(status("lmstudio")).toMatchObject({ available: true, defaultModel: "eyes" });
    expect(status("lmstudio").models).toEqual([
      { id: "eyes", name: "eyes", images: true, contextWindow: 8_000 },
      { id: "idle", name: "idle", images: false, contextWindow: 4_000 },
    ]);
  });

  it("an older LM Studio is asked as any other server", async () => {
    const server = await serving({ "/v1/models": { data: [{ id: "m" }] } });
    const status = await discovered({ lmstudio: { baseURL: server.url } });
    expect(status("lmstudio").models).toEqual([{ id: "m", name: "m", images: false }]);
  });

  it("llama-server tells the context it was started with, not the one its model was trained for", async () => {
    const server = await serving({
      "/v1/models": { data: [{ id: "local.gguf", meta: { n_ctx_train: 131_072 } }] },
      "/props": { default_generation_settings: { n_ctx: 8_192 }, modalities: { vision: true } },
    });
    const status = await discovered({ "llama-server": { baseURL: server.url } });
    expect(status("llama-server").models).toEqual([
      { id: "local.gguf", name: "local.gguf", images: true, contextWindow: 8_192 },
    ]);
  });

  it("vLLM tells the longest context", async () => {
    const server = await serving({ "/v1/models": { data: [{ id: "m", max_model_len: 40_960 }, {}] } });
    const status = await discovered({ vllm: { baseURL: server.url } });
    expect(status("vllm").models).toEqual([{ id: "m", name: "m", images: false, contextWindow: 40_960 }]);
  });

  it("of the user's own is asked, too, and takes what settings say of its models", async () => {
    const server = await serving({ "/v1/models": { data: [{ id: "m" }] } });
    const mine = {
      type: "openai-compatible",
      baseURL: server.url,
      models: { m: { contextWindow: 7 } },
    } as const;
    const status = await discovered({ mine });
    expect(status("mine")).toMatchObject({ available: true, models: [{ id: "m", contextWindow: 7 }] });
  });

  it("that does not run is said to be missing", async () => {
    const status = await discovered({});
    expect(status("ollama")).toMatchObject({
      available: false,
      reason: "nothing listens on 127.0.0.1:1",
      models: [],
    });
  });

  it("without a model is said to have none", async () => {
    const server = await serving({ "/api/tags": { models: [] } });
    const status = await discovered({ ollama: { baseURL: server.url } });
    expect(status("ollama")).toMatchObject({
      available: false,
      reason: expect.stringContaining("has no model yet"),
    });
  });

  it.each([
    ["a web page", "<html>Welcome to nginx!</html>"],
    ["other JSON", { hello: "world" }],
    ["a list of something else", []],
    ["no list of models", { data: "x", models: "y" }],
  ])("that answers with %s is not taken for a model server", async (_, body) => {
    const server = await serving({ "/v1/models": body, "/api/tags": body, "/api/v0/models": body });
    const status = await discovered({
      ollama: { baseURL: server.url },
      vllm: { baseURL: server.url },
      lmstudio: { baseURL: server.url },
      "llama-server": { baseURL: server.url },
    });
    for (const name of ["ollama", "vllm", "lmstudio", "llama-server"])
      expect(status(name)).toMatchObject({
        available: false,
        reason: `something answers on ${new URL(server.url).host}, but it lists no models`,
      });
  });

  it.each([
    ["before its first byte", () => {}],
    [
      "in the middle of its answer",
      (_: IncomingMessage, response: ServerResponse) => void response.write('{"data":['),
    ],
  ])("that hangs %s is given up", async (_, handler) => {
    const hanging = await listening(handler);
    const providers = { ...quiet, vllm: { baseURL: hanging } };
    const all = await discoverProviders({ providers, env: {}, configFolder: "/nonexistent" });
    expect(all.find((status) => status.name === "vllm")).toMatchObject({
      available: false,
      reason: `no answer from ${new URL(hanging).host} in time`,
    });
  });

  it("that hangs keeps none of the others from being found", async () => {
    const timeIsUp = new AbortController();
    const asked = { hanging: false, ollama: false };
    const ask = (name: keyof typeof asked) => {
      asked[name] = true;
      if (asked.hanging && asked.ollama) timeIsUp.abort();
    };
    const hanging = await listening(() => ask("hanging"));
    const ollama = await listening((request, response) => {
      response.end(request.url === "/api/tags" ? '{"models":[{"name":"m"}]}' : "{}");
      // That it is asked for more shows that the list has arrived.
      if (request.url === "/api/show") ask("ollama");
    });
    const providers = { vllm: { baseURL: hanging }, ollama: { baseURL: ollama } };
    const status = await discovered(providers, {}, timeIsUp.signal);
    expect(status("vllm")).toMatchObject({
      available: false,
      reason: expect.stringContaining("no answer from"),
    });
    expect(status("ollama")).toMatchObject({ available: true, defaultModel: "m" });
  });

  it("that lists its models and then hangs is still found with their names", async () => {
    const timeIsUp = new AbortController();
    const url = await listening((request, response) => {
      if (request.url === "/api/tags") response.end('{"models":[{"name":"m"}]}');
      else timeIsUp.abort();
    });
    const status = await discovered({ ollama: { baseURL: url } }, {}, timeIsUp.signal);
    expect(status("ollama")).toMatchObject({
      available: true,
      models: [{ id: "m", name: "m", images: false }],
    });
  });

  it("is asked at the same time as all others: none has to wait for another", async () => {
    const waiting: ServerResponse[] = [];
    const url = await listening((_, response) => {
      waiting.push(response);
      // Each answers only after all three have been asked.
      if (waiting.length === 3) for (const each of waiting) each.end('{"data":[{"id":"m"}]}');
    });
    const one = (path: string) => ({ type: "openai-compatible", baseURL: `${url}/${path}` }) as const;
    const status = await discovered({ a: one("a"), b: one("b"), c: one("c") });
    for (const name of ["a", "b", "c"]) expect(status(name)).toMatchObject({ available: true });
  });

  it("is not asked when its key cannot be had, which is said instead", async () => {
    const server = await serving({ "/v1/models": { data: [{ id: "m" }] } });
    const status = await discovered({ vllm: { baseURL: server.url, apiKey: "env:MY_VLLM" } });
    expect(status("vllm")).toMatchObject({ available: false, reason: expect.stringContaining("MY_VLLM") });
    expect(server.requests).toEqual([]);
  });
});

describe("what is loaded and not asked", () => {
  it("a script is there when settings say so, a package when it is installed", async () => {
    const status = await discovered({
      demo: { type: "scripted", script: "demo.json" },
      foreign: { type: "ai-sdk", package: "@ai-sdk/cohere", models: { command: {} } },
    });
    expect(status("demo")).toMatchObject({
      available: true,
      reason: "plays a script; never chosen by itself",
    });
    expect(status("foreign")).toMatchObject({
      available: false,
      reason: expect.stringContaining("not installed: npm install --prefix"),
    });
    const configFolder = mkdtempSync(join(tmpdir(), "aintern-packages-"));
    mkdirSync(join(configFolder, "node_modules", "@ai-sdk", "cohere"), { recursive: true });
    writeFileSync(join(configFolder, "node_modules", "@ai-sdk", "cohere", "package.json"), "{}");
    const foreign = { type: "ai-sdk", package: "@ai-sdk/cohere", models: { command: {} } } as const;
    const [there] = await discoverProviders({ providers: { foreign }, env: {}, configFolder });
    expect(there).toMatchObject({ name: "foreign", available: true, models: [{ id: "command" }] });
    rmSync(configFolder, { recursive: true });
  });

  it("a provider of a new name without a type is not", async () => {
    const status = await discovered({ mine: { baseURL: "http://127.0.0.1:1" } });
    expect(status("mine")).toMatchObject({ available: false, reason: 'its settings name no "type"' });
  });
});
