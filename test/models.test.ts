import { expect, test } from "vitest";
import { Aintern } from "./support/aintern.ts";
import { ModelServer } from "./support/model-server.ts";

const json = (value: unknown) => ({ body: JSON.stringify(value) });

const shown = {
  capabilities: ["completion", "tools", "thinking"],
  model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40960 },
};

test("aintern models shows a key, a running Ollama, and why the rest cannot be used", async () => {
  await using ollama = await ModelServer.start();
  ollama.at("/api/tags", json({ models: [{ name: "qwen3:8b" }] })).at("/api/show", json(shown));
  using aintern = new Aintern();
  const { code, stdout, stderr } = await aintern.run(["models"], {
    env: { ANTHROPIC_API_KEY: "test-key-0123456789", OLLAMA_HOST: ollama.url },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(
    /^Anthropic \(key from ANTHROPIC_API_KEY\)\n {2}anthropic\/claude-\S+ +1M context +\$/m,
  );
  expect(stdout).toMatch(/^Ollama \(answers on 127\.0\.0\.1:\d+\)\n {2}ollama\/qwen3:8b +41k context/m);
  expect(stdout).toMatch(/^Not usable now\n(.*\n)* {2}openai +no key: set OPENAI_API_KEY$/m);
  expect(stdout).not.toContain("test-key");
});

test("aintern models --json says the same for programs", async () => {
  using aintern = new Aintern({
    providers: {
      mine: {
        type: "openai-compatible",
        baseURL: "https://example.invalid/v1",
        apiKey: "env:MY_KEY",
        models: { big: { contextWindow: 5 } },
      },
    },
  });
  const list = async (env: Record<string, string>) => {
    const { stdout } = await aintern.run(["models", "--json"], { env });
    const { providers } = JSON.parse(stdout);
    return providers.find((provider: { name: string }) => provider.name === "mine");
  };
  expect(await list({})).toMatchObject({ available: false, reason: "MY_KEY is not set", models: [] });
  expect(await list({ MY_KEY: "secret-0123456789" })).toMatchObject({
    available: true,
    reason: "key from MY_KEY, at https://example.invalid/v1",
    models: [{ id: "big", contextWindow: 5 }],
  });
});

test("a model that was not chosen by the user is named", async () => {
  await using ollama = await ModelServer.start();
  ollama.at("/api/tags", json({ models: [{ name: "qwen3:8b" }] })).at("/api/show", json(shown));
  ollama.answer(["Hello."]);
  using aintern = new Aintern();
  const { code, stdout, stderr } = await aintern.run(["-p", "Hi"], { env: { OLLAMA_HOST: ollama.url } });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
  expect(stderr).toMatch(/^Using ollama\/qwen3:8b \(answers on 127\.0\.0\.1:\d+\)\.\n$/);
  const chat = ollama.requests.find(({ path }) => path === "/api/chat");
  expect(chat?.body).toMatchObject({ model: "qwen3:8b", options: { num_ctx: 40960 } });
});
