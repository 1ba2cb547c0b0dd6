import { afterAll, describe, expect, it } from "vitest";
import { everythingIn } from "../../test/support/everything-in.ts";
import { ModelServer, type RawAnswer } from "../../test/support/model-server.ts";
import { openWire, outcomeOf, wireNames } from "../../test/support/open-wire.ts";
import { type WireName, writeAnswer } from "../../test/support/wire-answers.ts";
import { closeIdleConnections } from "./http/http-transport.ts";
import type { ProviderSettings } from "./provider-settings.ts";

afterAll(() => closeIdleConnections());

const key = 'sk-proj-0123456789"abc/def+ghi';
const headerToken = "gateway-0123456789-token";
const beginning = key.slice(0, 14);
const settings: ProviderSettings = { apiKey: key, headers: { "x-gateway": `Bearer ${headerToken}` } };

/** How servers repeat a key: whole, in an address, with only its beginning, and that of the gateway beside it. */
const echo = `You sent ${key} (?key=${encodeURIComponent(key)}) i.e. ${beginning}… and ${headerToken}`;

async function everythingFrom(wire: WireName, answer: RawAnswer) {
  await using server = await ModelServer.start();
  server.answer(answer);
  const { stream } = await openWire(wire, server.url, settings);
  const outcome = await outcomeOf(stream);
  // The server did get it: nothing is hidden by never being sent.
  const sent = JSON.stringify(server.requests.at(-1)?.headers);
  expect(sent).toContain(headerToken);
  expect(sent).toContain(JSON.stringify(key).slice(1, -1));
  return { ...outcome, shown: everythingIn(outcome) };
}

function expectNoKeyIn(shown: string) {
  expect(shown).not.toContain(key);
  expect(shown).not.toContain(beginning);
  expect(shown).not.toContain(encodeURIComponent(key));
  expect(shown).not.toContain(headerToken);
}

const framed = (wire: WireName, payload: object) =>
  wire === "ollama" ? `${JSON.stringify(payload)}\n` : `data: ${JSON.stringify(payload)}\n\n`;

/** Payloads that the format does not know, each with the key in all of its texts. */
const unknown: Readonly<Record<WireName, readonly object[]>> = {
  anthropic: [
    { type: echo, text: echo },
    { type: "content_block_start", index: 5, content_block: { type: echo, [echo]: [echo] } },
    { type: "content_block_delta", index: 5, delta: { type: echo } },
  ],
  responses: [
    { type: echo, text: echo },
    { type: "response.output_item.added", item: { type: echo, [echo]: { deep: [echo] } } },
  ],
  chat: [{ choices: [{ delta: { content: [{ type: echo, text: echo }] } }] }],
  gemini: [{ candidates: [{ content: { parts: [{ [echo]: echo }] } }] }],
  ollama: [],
};

describe.each(wireNames)("with %s, a key never shows", (wire) => {
  it.each([
    ["an error", { error: { message: echo, type: echo, code: echo } }],
    ["an error of plain words", { error: echo, code: echo }],
    ["a detail", { detail: [{ msg: echo }] }],
    ["a wrapped error", { error: { message: "Provider returned error", metadata: { raw: echo } } }],
    ["an error with details", { error: { message: "no", details: [{ reason: echo, retryDelay: echo }] } }],
  ])("in %s of the server", async (_, body) => {
    const { error, shown } = await everythingFrom(wire, { status: 401, body: JSON.stringify(body) });
    expect(error).toMatchObject({ name: "ModelError", kind: "auth" });
    expectNoKeyIn(shown);
  });

  it.each([echo, `{"error": ${echo}`, `${echo}${"x".repeat(3_000)}`])(
    "in an error that is no JSON",
    async (body) => {
      const { error, shown } = await everythingFrom(wire, { status: 400, body });
      expect(error).toMatchObject({ kind: "bad_request" });
      expectNoKeyIn(shown);
    },
  );

  it("in an error in the middle of the answer", async () => {
    const failed = { type: "error", error: { message: echo, type: echo, code: echo } };
    const body = writeAnswer(wire, ["Hi"]);
    const start = body.slice(0, body.indexOf(wire === "ollama" ? "\n" : "\n\n", body.indexOf("Hi")) + 2);
    const { events, error, shown } = await everythingFrom(wire, {
      body: start.trimEnd() + (wire === "ollama" ? "\n" : "\n\n") + framed(wire, failed),
    });
    expect(events).toContainEqual({ type: "text_delta", text: "Hi" });
    expect(error).toMatchObject({ name: "ModelError" });
    expectNoKeyIn(shown);
  });

  it("in an error under HTTP 200", async () => {
    const { error, shown } = await everythingFrom(wire, {
      body: JSON.stringify({ error: { message: echo } }),
    });
    expect(error).toMatchObject({ name: "ModelError" });
    expectNoKeyIn(shown);
  });

  it("in a trace of what nobody knows", async () => {
    const odd = unknown[wire].map((payload) => framed(wire, payload)).join("");
    const torn = wire === "ollama" ? `{"${echo}\n` : `data: {"${echo}\n\n`;
    const { events, error, shown } = await everythingFrom(wire, {
      body: odd + torn + writeAnswer(wire, ["Hi"]),
    });
    expect(error).toBeUndefined();
    expect(events.filter((event) => event.type === "trace")).toHaveLength(unknown[wire].length + 1);
    expectNoKeyIn(shown);
  });

  it("in what is said of a connection that was cut, of a redirect, or of a web page", async () => {
    const cut = await everythingFrom(wire, { body: writeAnswer(wire, ["Hi"]), cutAfter: 20 });
    expect(cut.error).toMatchObject({ kind: "cut_off" });
    expectNoKeyIn(cut.shown);
    const moved = await everythingFrom(wire, {
      status: 302,
      headers: { location: `https://x/?key=${encodeURIComponent(key)}` },
    });
    expect(moved.error).toMatchObject({ kind: "bad_request" });
    expectNoKeyIn(moved.shown);
    const page = await everythingFrom(wire, { body: `<html>${echo}</html>` });
    expect(page.error).toMatchObject({ kind: "bad_request" });
    expectNoKeyIn(page.shown);
  });

  it("in what is said of a server that is not there", async () => {
    const { stream } = await openWire(wire, "http://127.0.0.1:1", settings);
    const outcome = await outcomeOf(stream);
    expect(outcome.error).toMatchObject({ kind: "network", code: "ECONNREFUSED" });
    expectNoKeyIn(everythingIn(outcome));
  });
});
