import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { helloRequest, outcomeOf } from "../../../test/support/open-wire.ts";
import { noUsage } from "../../model/usage.ts";
import { ConfigurationError } from "../credentials.ts";
import { openScriptFile } from "./script-file.ts";
import { createScriptedProvider } from "./scripted-provider.ts";

const text = (words: string) => ({ type: "text_delta", text: words }) as const;
const completed = (reason: "stop" | "tool_calls" | "length") =>
  ({ type: "response_completed", reason, usage: noUsage }) as const;
const call = { id: "c1", name: "read", arguments: { path: "a" } };

describe("a scripted provider", () => {
  it("plays one answer a request and ends each", async () => {
    const { stream, requests } = createScriptedProvider([
      [text("One")],
      [{ type: "tool_call_ready", call }],
      [text("Three"), completed("length")],
    ]);
    const played = [await outcomeOf(stream), await outcomeOf(stream), await outcomeOf(stream)];
    expect(played.map((outcome) => outcome.events)).toEqual([
      [text("One"), completed("stop")],
      [{ type: "tool_call_ready", call }, completed("tool_calls")],
      [text("Three"), completed("length")],
    ]);
    expect(requests).toEqual([helloRequest, helloRequest, helloRequest]);
  });

  it("says so when it is asked once too often", async () => {
    const { stream } = createScriptedProvider([[text("One")]], "demo");
    await outcomeOf(stream);
    expect((await outcomeOf(stream)).error).toMatchObject({
      kind: "bad_request",
      provider: "demo",
      message: "The script has no answer for request 2.",
    });
  });

  it("answers by what it is asked when the script is a function", async () => {
    const { stream } = createScriptedProvider(async (request, turn) => [text(`${request.model} ${turn}`)]);
    expect((await outcomeOf(stream)).events[0]).toEqual(text("test-model 0"));
    expect((await outcomeOf(stream)).events[0]).toEqual(text("test-model 1"));
  });

  it("throws an error of the script at its place", async () => {
    const error = new Error("from the script");
    const { stream } = createScriptedProvider([[text("One"), error, text("never")]]);
    expect(await outcomeOf(stream)).toEqual({ events: [text("One")], error });
  });

  it("stops with the signal's reason: before it begins, between events, and while it waits", async () => {
    const reason = new Error("stopped");
    const aborted = AbortSignal.abort(reason);
    const { stream } = createScriptedProvider(() => [text("One"), 1_000_000, text("never")]);
    expect(await outcomeOf(stream, helloRequest, aborted)).toEqual({ events: [], error: reason });

    const between = new AbortController();
    const plain = createScriptedProvider([[text("One"), text("never")]]);
    const seen: string[] = [];
    const reading = (async () => {
      for await (const event of plain.stream(helloRequest, between.signal)) {
        seen.push(event.type);
        between.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(seen).toEqual(["text_delta"]);

    const waiting = new AbortController();
    const iterator = stream(helloRequest, waiting.signal)[Symbol.asyncIterator]();
    await iterator.next();
    const next = iterator.next();
    waiting.abort(reason);
    await expect(next).rejects.toBe(reason);
  });

  it("does not end an answer that was cancelled at its last event", async () => {
    const controller = new AbortController();
    const { stream } = createScriptedProvider([[text("One")]]);
    const iterator = stream(helloRequest, controller.signal)[Symbol.asyncIterator]();
    await iterator.next();
    controller.abort("stopped");
    await expect(iterator.next()).rejects.toBe("stopped");
  });
});

describe("a script file", () => {
  async function play(content: string) {
    const folder = await mkdtemp(join(tmpdir(), "script-file-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, "script.json"), content);
    return openScriptFile("demo", "script.json", folder);
  }

  it("is a list of answers: texts, thinking, calls and waits", async () => {
    const stream = await play(
      JSON.stringify([
        ["Looking.", { thinking: "Hm." }, { waitMs: 0 }, { call: "read", arguments: { path: "a" } }],
        [{ call: "read", arguments: {}, id: "mine" }],
      ]),
    );
    expect((await outcomeOf(stream)).events).toEqual([
      text("Looking."),
      { type: "thinking_delta", text: "Hm." },
      { type: "tool_call_started", callId: "call_0_3", name: "read" },
      { type: "tool_call_args_delta", callId: "call_0_3", text: '{"path":"a"}' },
      { type: "tool_call_ready", call: { ...call, id: "call_0_3" } },
      completed("tool_calls"),
    ]);
    expect((await outcomeOf(stream)).events[0]).toMatchObject({ callId: "mine" });
  });

  it.each([
    "",
    "not json",
    "{}",
    "[]",
    '["text"]',
    '[[{"call":"read"}]]',
    '[[{"waitMs":-1}]]',
    '[[{"thinking":"a","extra":1}]]',
    "[[5]]",
  ])("with %j in it is refused, by its name", async (content) => {
    const error = await play(content).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toMatch(/The script of demo is not a list of answers: .*script\.json/);
  });

  it("that is not there is named", async () => {
    const error = await openScriptFile("demo", "gone.json", "/nonexistent").catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).toContain("The script of demo cannot be read: /nonexistent/gone.json");
  });
});
