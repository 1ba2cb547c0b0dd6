import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everythingIn } from "../../../test/support/everything-in.ts";
import { ModelServer } from "../../../test/support/model-server.ts";
import { helloRequest, outcomeOf } from "../../../test/support/open-wire.ts";
import { type AnswerPart, type WireName, writeAnswer } from "../../../test/support/wire-answers.ts";
import { MessageAssembler } from "../../model/assemble-message.ts";
import { userMessage } from "../../model/message.ts";
import { ModelError } from "../../model/model-error.ts";
import type { ModelEvent } from "../../model/model-event.ts";
import { openModel } from "../open-model.ts";
import type { ProviderSettings } from "../provider-settings.ts";

const installed = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** The real packages, each with the format it speaks, the address it wants, and what it calls its own metadata. */
const packages = [
  ["@ai-sdk/anthropic", "anthropic", "/v1"],
  ["@ai-sdk/openai", "responses", "/v1"],
  ["@ai-sdk/google", "gemini", "/v1beta"],
  ["@ai-sdk/openai-compatible", "chat", "/v1"],
  ["@ai-sdk/mistral", "chat", "/v1"],
] as const satisfies readonly (readonly [string, WireName, string])[];

let configFolder = "";

beforeAll(async () => {
  configFolder = await mkdtemp(join(tmpdir(), "packages-"));
  await mkdir(join(configFolder, "node_modules", "@ai-sdk"), { recursive: true });
  for (const [name] of packages)
    await symlink(join(installed, name), join(configFolder, "node_modules", name), "dir");
});

afterAll(() => rm(configFolder, { recursive: true }));

const tools = [
  {
    name: "read",
    description: "Reads a file.",
    inputSchema: { type: "object", properties: { path: { type: "string" } } },
  },
];
const request = { ...helloRequest, tools };

function open(name: string, baseURL: string, settings: ProviderSettings = {}) {
  const mine: ProviderSettings = {
    type: "ai-sdk",
    package: name,
    baseURL,
    apiKey: "sk-package-key",
    ...settings,
  };
  return openModel("mine/test-model", { providers: { mine }, env: {}, configFolder });
}

/** Mistral has no chunk for the usage alone: it comes with the last one that has a choice. */
function written(name: string, wire: WireName, parts: readonly AnswerPart[]): string {
  const body = writeAnswer(wire, parts);
  if (name !== "@ai-sdk/mistral") return body;
  const usage = '"usage":{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}';
  return body
    .replace(/data: .*"choices":\[\],.*\n\n/, "")
    .replace(/("finish_reason":"[a-z_]+"\}\])/, `$1,${usage}`);
}

function assembled(events: readonly ModelEvent[]) {
  const assembler = new MessageAssembler();
  for (const event of events) assembler.add(event);
  return assembler.snapshot();
}

describe.each(packages)("%s", (name, wire, path) => {
  it("gives text, calls, the reason and the usage as our events", async () => {
    await using server = await ModelServer.start();
    const parts = ["I ", "look.", { call: "read", arguments: { path: "a" }, id: "callabcde" }];
    server.answer({ body: written(name, wire, parts) });
    const { stream } = await open(name, server.url + path);
    const { events, error } = await outcomeOf(stream, request);
    expect(error).toBeUndefined();
    const { message, calls, unfinished, reason, usage } = assembled(events);
    expect(message.content.map((part) => (part.type === "text" ? part.text : "")).join("")).toBe("I look.");
    expect(calls).toEqual([
      expect.objectContaining({ id: "callabcde", name: "read", arguments: { path: "a" } }),
    ]);
    expect(unfinished).toEqual([]);
    expect(reason).toBe("tool_calls");
    expect(usage).toMatchObject({ inputTokens: 100, outputTokens: 10 });
    expect(events.filter((event) => event.type === "response_completed")).toEqual([events.at(-1)]);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain("sk-package-key");
  });

  it("answers again when the call and its result are sent back", async () => {
    await using server = await ModelServer.start();
    const call = { call: "read", arguments: { path: "a" }, id: "callabcde" };
    server.answer({ body: written(name, wire, [call]) }, { body: written(name, wire, ["Done."]) });
    const { stream } = await open(name, server.url + path);
    const first = assembled((await outcomeOf(stream, request)).events);
    const result = {
      role: "tool",
      callId: "callabcde",
      toolName: "read",
      content: [{ type: "text", text: "file words" }],
      isError: false,
    } as const;
    const messages = [...request.messages, first.message, result];
    const { events, error } = await outcomeOf(stream, { ...request, messages });
    expect(error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ reason: "stop" });
    expect(JSON.stringify(server.requests[1]?.body)).toContain("file words");
  });

  it.each([
    [401, { error: { message: "Invalid API key: sk-package-key", type: "authentication_error" } }, "auth"],
    [429, { error: { message: "Rate limit reached", code: "rate_limit_exceeded" } }, "rate_limit"],
    [500, { error: { message: "It broke", type: "server_error" } }, "overloaded"],
    [400, { error: { message: "This model's maximum context length is 4096 tokens." } }, "context_overflow"],
  ])("gives HTTP %i %j as the kind %s, without the key", async (status, body, kind) => {
    await using server = await ModelServer.start();
    server.answer({ status, body: JSON.stringify(body), headers: { "retry-after": "7" } });
    const { stream } = await open(name, server.url + path);
    const { error } = await outcomeOf(stream);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind, status, retryAfterMs: 7_000, provider: "mine" });
    expect(everythingIn(error)).not.toContain("sk-package-key");
    // The session retries; the package must not.
    expect(server.requests).toHaveLength(1);
  });

  it("is cut off when the connection is lost, and when the answer just ends", async () => {
    await using server = await ModelServer.start();
    const body = writeAnswer(wire, ["Hi", " there"]);
    const middle = body.indexOf("\n\n", body.indexOf("there")) + 2;
    server.answer({ body, cutAfter: middle }, { body: body.slice(0, middle) });
    const { stream } = await open(name, server.url + path);
    expect((await outcomeOf(stream)).error).toMatchObject({ kind: "cut_off", transient: true });
    expect((await outcomeOf(stream)).error).toMatchObject({ kind: "cut_off", transient: true });
  });

  it("stops with the signal's reason, and the connection is closed", async () => {
    await using server = await ModelServer.start();
    const body = writeAnswer(wire, ["Hi", " there"]);
    server.answer({ body, stallAfter: body.indexOf("there") });
    const { stream } = await open(name, server.url + path);
    const controller = new AbortController();
    const reason = new Error("stopped by the user");
    const reading = (async () => {
      for await (const event of stream(helloRequest, controller.signal))
        if (event.type === "text_delta") controller.abort(reason);
    })();
    await expect(reading).rejects.toBe(reason);
    await server.requests[0]?.closed;
    expect((await outcomeOf(stream, helloRequest, AbortSignal.abort(reason))).error).toBe(reason);
  });

  it("closes the connection when the reader leaves", async () => {
    await using server = await ModelServer.start();
    const body = writeAnswer(wire, ["Hi", " there"]);
    server.answer({ body, stallAfter: body.indexOf("there") });
    const { stream } = await open(name, server.url + path);
    for await (const event of stream(helloRequest, new AbortController().signal))
      if (event.type === "text_delta") break;
    await server.requests[0]?.closed;
  });

  it("says where nothing listens, without the key", async () => {
    const { stream } = await open(name, `http://127.0.0.1:1${path}`);
    const { error } = await outcomeOf(stream);
    expect(error).toMatchObject({ kind: "network", transient: true });
    expect(everythingIn(error)).not.toContain("sk-package-key");
  });
});

it("a server that falls silent is given up, whatever the package", async () => {
  const silent = packages.map(async ([name, wire, path]) => {
    await using server = await ModelServer.start();
    const body = writeAnswer(wire, ["Hi", " there"]);
    server.answer({ body, stallAfter: body.indexOf("there") });
    const { stream } = await open(name, server.url + path, { idleTimeout: 1 });
    const { error } = await outcomeOf(stream);
    await server.requests[0]?.closed;
    return error;
  });
  for (const error of await Promise.all(silent))
    expect(error).toMatchObject({ kind: "cut_off", message: "The answer stalled." });
});

it("patience for longer than a timer can count is still patience", async () => {
  await using server = await ModelServer.start();
  server.answer(["Hi"]);
  const { stream } = await open("@ai-sdk/anthropic", `${server.url}/v1`, { idleTimeout: 10_000_000 });
  expect((await outcomeOf(stream)).error).toBeUndefined();
});

describe("thinking", () => {
  async function replayed(name: string, path: string, answer: string) {
    await using server = await ModelServer.start();
    server.answer({ body: answer }, ["Done."]);
    const { stream } = await open(name, server.url + path);
    const { events, error } = await outcomeOf(stream, { ...request, thinking: "high" });
    expect(error).toBeUndefined();
    const { message } = assembled(events);
    const messages = [...request.messages, message, userMessage("Go on.")];
    expect((await outcomeOf(stream, { ...request, messages })).error).toBeUndefined();
    return { message, body: server.requests[1]?.body };
  }

  it("goes back to Anthropic with its signature", async () => {
    const answer = writeAnswer("anthropic", [{ thinking: "Hm.", signature: "seal==" }, "So."]);
    const { message, body } = await replayed("@ai-sdk/anthropic", "/v1", answer);
    expect(message.content[0]).toMatchObject({ type: "thinking", text: "Hm." });
    expect(body.messages[1].content).toEqual([
      { type: "thinking", thinking: "Hm.", signature: "seal==" },
      { type: "text", text: "So." },
    ]);
  });

  it("that Anthropic has hidden goes back hidden", async () => {
    const event = (payload: { type: string; [key: string]: unknown }) =>
      `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
    const hidden =
      event({
        type: "content_block_start",
        index: 7,
        content_block: { type: "redacted_thinking", data: "hidden==" },
      }) + event({ type: "content_block_stop", index: 7 });
    const answer = writeAnswer("anthropic", ["So."]).replace(
      "event: content_block_start",
      `${hidden}event: content_block_start`,
    );
    const { body } = await replayed("@ai-sdk/anthropic", "/v1", answer);
    expect(body.messages[1].content[0]).toEqual({ type: "redacted_thinking", data: "hidden==" });
  });

  it("goes back to Gemini with its thought signature", async () => {
    const answer = writeAnswer("gemini", [{ thinking: "Hm.", signature: "seal==" }, "So."]);
    const { body } = await replayed("@ai-sdk/google", "/v1beta", answer);
    expect(body.contents[1].parts[0]).toEqual({ text: "Hm.", thought: true, thoughtSignature: "seal==" });
  });

  it("goes back to OpenAI with what it encrypted, which came with the end of the block", async () => {
    const answer = writeAnswer("responses", [{ thinking: "Hm.", signature: "gAAA==" }, "So."]);
    const { message, body } = await replayed("@ai-sdk/openai", "/v1", answer);
    expect(JSON.stringify(message.content[0])).toContain("gAAA==");
    expect(body.input).toContainEqual({ type: "item_reference", id: "rs_0" });
  });

  it("of another provider is not sent", async () => {
    await using server = await ModelServer.start();
    server.answer(["Done."]);
    const { stream } = await open("@ai-sdk/anthropic", `${server.url}/v1`);
    const part = {
      type: "thinking",
      text: "Foreign.",
      signature: { origin: "anthropic-messages", value: "seal" },
    } as const;
    const messages = [
      userMessage("Hi"),
      { role: "assistant" as const, content: [part] },
      userMessage("Go on."),
    ];
    await outcomeOf(stream, { ...helloRequest, messages });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("Foreign.");
  });
});

describe("an error inside a stream", () => {
  it.each([
    [
      "@ai-sdk/anthropic",
      "/v1",
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded sk-package-key"}}\n\n',
    ],
    [
      "@ai-sdk/openai",
      "/v1",
      'data: {"type":"error","sequence_number":1,"error":{"type":"server_error","code":"server_error","message":"overloaded sk-package-key","param":null}}\n\n',
    ],
    [
      "@ai-sdk/openai-compatible",
      "/v1",
      'data: {"error":{"message":"overloaded sk-package-key","type":"server_error"}}\n\n',
    ],
  ])("of %s has its kind, and not the key", async (name, path, failed) => {
    await using server = await ModelServer.start();
    const wire = packages.find(([each]) => each === name)?.[1] ?? "chat";
    const body = writeAnswer(wire, ["Hi"]);
    server.answer({ body: body.slice(0, body.indexOf("\n\n", body.indexOf("Hi")) + 2) + failed });
    const { stream } = await open(name, server.url + path);
    const { events, error } = await outcomeOf(stream);
    expect(error).toMatchObject({ kind: "overloaded" });
    expect(everythingIn([events, error])).not.toContain("sk-package-key");
  });
});

describe("secrets of a package", () => {
  it("in its options and headers are not shown when a server repeats them", async () => {
    await using server = await ModelServer.start();
    const secrets = ["sk-in-options", "nested-token-1", "header-token-1"];
    server.answer({ status: 500, body: JSON.stringify({ error: { message: `no: ${secrets.join(" ")}` } }) });
    const { stream } = await open("@ai-sdk/openai-compatible", `${server.url}/v1`, {
      headers: { "x-auth": "Token header-token-1" },
      options: { secretAccessKey: "sk-in-options", more: { authToken: "nested-token-1" } },
    });
    const { error } = await outcomeOf(stream);
    expect(error).toMatchObject({ kind: "overloaded" });
    for (const secret of secrets) expect(everythingIn(error)).not.toContain(secret);
  });

  it("in its address are not shown when the address is refused", async () => {
    const { stream } = await open("@ai-sdk/openai-compatible", "http://name:hunter2-hunter2@127.0.0.1:1/v1");
    const { error } = await outcomeOf(stream);
    expect(error).toBeInstanceOf(ModelError);
    expect(everythingIn(error)).not.toContain("hunter2");
  });
});
