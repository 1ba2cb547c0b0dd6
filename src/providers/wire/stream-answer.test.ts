import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { gated, ModelServer, type RawAnswer } from "../../../test/support/model-server.ts";
import { helloRequest, openWire, outcomeOf, wireNames } from "../../../test/support/open-wire.ts";
import { type WireName, writeAnswer } from "../../../test/support/wire-answers.ts";
import { userMessage } from "../../model/message.ts";
import { ModelError } from "../../model/model-error.ts";
import { closeIdleConnections } from "../http/http-transport.ts";

afterAll(() => closeIdleConnections());

async function answered(wire: WireName, answer: RawAnswer) {
  await using server = await ModelServer.start();
  server.answer(answer);
  const { stream } = await openWire(wire, server.url);
  return { ...(await outcomeOf(stream)), url: server.url };
}

/** What says in each format that the answer is whole. */
const lastWord: Readonly<Record<WireName, RegExp>> = {
  anthropic: /data: \{"type":"message_delta".*\}/,
  responses: /data: \{"type":"response\.completed".*\}/,
  chat: /data: \{.*"finish_reason":"stop".*\}/,
  gemini: /data: \{.*"finishReason":"STOP".*\}/,
  ollama: /\{.*"done":true.*\}/,
};

function endOfLastWord(wire: WireName, body: string): number {
  const match = lastWord[wire].exec(body);
  return match ? match.index + match[0].length : expect.fail(`no end in ${body}`);
}

/** Asks once for every number of bytes, and gives what came of it. */
async function cutEverywhere(wire: WireName, answer: (bytes: number) => RawAnswer, length: number) {
  await using server = await ModelServer.start();
  server.answer((request) => answer(Number(/bytes=(\d+)/.exec(JSON.stringify(request.body))?.[1])));
  const { stream } = await openWire(wire, server.url);
  const results: string[] = Array.from({ length: length + 1 }, () => "not asked");
  let next = 0;
  const worker = async () => {
    while (next <= length) {
      const bytes = next++;
      const request = { ...helloRequest, messages: [userMessage(`bytes=${bytes}`)] };
      const { events, error } = await outcomeOf(stream, request);
      const last = events.at(-1)?.type;
      if (error instanceof ModelError) results[bytes] = error.kind;
      else results[bytes] = error === undefined && last === "response_completed" ? "whole" : String(error);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}

const upTo = (bytes: number, length: number) =>
  Array.from({ length: length + 1 }, (_, at) => (at < bytes ? "cut_off" : "whole"));

describe.each(wireNames)("an answer in the format of %s", (wire) => {
  const body = writeAnswer(wire, ["Hi"]);
  const lineBreaks = wire === "ollama" ? 1 : 2;

  it("is cut off wherever its connection is lost before the last word", async () => {
    const results = await cutEverywhere(wire, (cutAfter) => ({ body, cutAfter }), body.length);
    expect(results).toEqual(upTo(endOfLastWord(wire, body) + lineBreaks, body.length));
  });

  it("is cut off wherever it ends in good order before the last word", async () => {
    const ended = (bytes: number): RawAnswer => ({ body: body.slice(0, bytes) });
    const results = await cutEverywhere(wire, ended, body.length);
    expect(results).toEqual(upTo(endOfLastWord(wire, body), body.length));
  });

  it("arrives piece by piece, not at its end", async () => {
    await using server = await ModelServer.start();
    const gate = gated([writeAnswer(wire, ["Hi"]).slice(0, -1), "\n"]);
    server.answer({ pieces: gate.pieces });
    const { stream } = await openWire(wire, server.url);
    gate.open();
    for await (const event of stream(helloRequest, new AbortController().signal)) {
      if (event.type === "text_delta") {
        expect(event.text).toBe("Hi");
        break;
      }
    }
    gate.open();
  });

  it("stops with the signal's reason, and closes its connection", async () => {
    await using server = await ModelServer.start();
    server.answer({ body, stallAfter: endOfLastWord(wire, body) - 10 });
    const { stream } = await openWire(wire, server.url);
    const controller = new AbortController();
    const reason = new Error("stopped by the user");
    const reading = (async () => {
      for await (const event of stream(helloRequest, controller.signal)) {
        if (event.type === "text_delta") controller.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    await server.requests.at(-1)?.closed;
  });

  it("is read when a gateway has compressed it", async () => {
    const { events, error } = await answered(wire, {
      body: gzipSync(body),
      headers: { "content-encoding": "gzip" },
    });
    expect(error).toBeUndefined();
    expect(events.map((event) => event.type)).toEqual(["text_delta", "response_completed"]);
  });

  it("uses one connection for all requests of a conversation", async () => {
    await using server = await ModelServer.start();
    server.answer(["One"], ["Two"], ["Three"]);
    const { stream } = await openWire(wire, server.url);
    for (let turn = 0; turn < 3; turn++) expect((await outcomeOf(stream)).error).toBeUndefined();
    expect(new Set(server.requests.map((request) => request.connection)).size).toBe(1);
  });

  it("that is a web page is told from an answer, and the address is doubted", async () => {
    const page = "<!doctype html>\n<html>\n<body>Welcome to nginx!</body>\n</html>\n";
    const { error, url } = await answered(wire, { body: page, headers: { "content-type": "text/html" } });
    expect(error).toMatchObject({ kind: "bad_request", transient: false });
    expect(String(error)).toMatch(
      new RegExp(`${url}.* did not answer with a stream. Is the base URL right?`),
    );
  });

  it("that is empty is cut off", async () => {
    const { events, error } = await answered(wire, { body: "" });
    expect(events).toEqual([]);
    expect(error).toMatchObject({ kind: "cut_off", message: "The answer was empty." });
  });

  it.each(["\n", "\n\n\n", " \r\n"])("that holds nothing but %j is cut off", async (blank) => {
    expect((await answered(wire, { body: blank })).error).toMatchObject({ kind: "cut_off" });
  });

  it("that is an error under HTTP 200 is that error", async () => {
    const failed = { error: { message: "The engine is currently overloaded", type: "server_error" } };
    for (const text of [JSON.stringify(failed), JSON.stringify(failed, undefined, 2)]) {
      const { error } = await answered(wire, { body: text, headers: { "content-type": "application/json" } });
      expect(error).toMatchObject({ kind: "overloaded", message: failed.error.message });
    }
  });

  it.each([
    { error: { message: "The engine is currently overloaded", code: 503 } },
    { type: "error", error: { message: "Overloaded", type: "overloaded_error" } },
  ])("in whose middle a gateway writes %j is that error", async (failed) => {
    const line = wire === "ollama" ? `${JSON.stringify(failed)}\n` : `data: ${JSON.stringify(failed)}\n\n`;
    const { error } = await answered(wire, { body: `${line}data: [DONE]\n\n` });
    expect(error).toMatchObject({ kind: "overloaded" });
  });

  it("that is a JSON object of another sort is no success", async () => {
    const { error } = await answered(wire, { body: '{"hello":"world"}' });
    expect(error).toBeInstanceOf(ModelError);
  });

  it.each([301, 302, 307, 308])("that is a redirect (HTTP %i) is refused with words", async (status) => {
    const { error, url } = await answered(wire, { status, headers: { location: "https://example.com" } });
    expect(error).toMatchObject({ kind: "bad_request", status });
    expect(String(error)).toContain(url);
    expect(String(error)).toContain(
      `answered with a redirect (HTTP ${status}). Set the base URL to its target.`,
    );
  });

  it("goes on after a payload that is no JSON, which is traced", async () => {
    const odd = wire === "ollama" ? "{not json\n" : "data: {not json\n\n";
    const { events, error } = await answered(wire, { body: odd + body });
    expect(error).toBeUndefined();
    expect(events.map((event) => event.type)).toEqual(["trace", "text_delta", "response_completed"]);
    expect(events[0]).toEqual({ type: "trace", name: "unparsable", data: "{not json" });
  });

  it("closes its connection when the reader leaves", async () => {
    await using server = await ModelServer.start();
    // The server never ends it: only the client can.
    server.answer({ body, stallAfter: endOfLastWord(wire, body) - 10 });
    const { stream } = await openWire(wire, server.url);
    for await (const event of stream(helloRequest, new AbortController().signal)) {
      if (event.type === "text_delta") break;
    }
    await server.requests.at(-1)?.closed;
  });
});

describe("a stream of events is read however a server writes it", () => {
  const body = writeAnswer("anthropic", ["Grüße, 世界 🎉"]);

  it.each([
    ["with carriage returns", body.replaceAll("\n", "\r\n")],
    ["with carriage returns alone", body.replaceAll("\n", "\r")],
    ["without the space after the colon", body.replaceAll(": {", ":{")],
    ["without names of events", body.replaceAll(/event: .*\n/g, "")],
    ["with comments to keep it alive", body.replaceAll("\n\n", "\n\n: still here\n\n")],
    ["with ids and retry times", body.replaceAll("\ndata", "\nid: 5\nretry: 100\ndata")],
    ["with a byte order mark", `\uFEFF${body}`],
    ["with JSON over several lines", body.replaceAll(',"', '\ndata: ,"')],
    ["without a line break at its end", body.trimEnd()],
  ])("%s", async (_, written) => {
    for (const pieceSize of [1, 4_096]) {
      const { events, error } = await answered("anthropic", { body: written, pieceSize });
      expect(error).toBeUndefined();
      expect(events.map((event) => (event.type === "text_delta" ? event.text : event.type))).toEqual([
        "Grüße, 世界 🎉",
        "response_completed",
      ]);
    }
  });
});

describe("[DONE]", () => {
  const chunk = (delta: object) =>
    `data: ${JSON.stringify({ id: "c1", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;

  it("ends a chat answer that never said how it ended", async () => {
    const body = `${chunk({ content: "Hi" })}data: [DONE]\n\n`;
    const { events, error } = await answered("chat", { body });
    expect(error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: "response_completed", reason: "stop" });
  });

  it("alone is no answer", async () => {
    const { error } = await answered("chat", { body: "data: [DONE]\n\n" });
    expect(error).toMatchObject({ kind: "cut_off" });
  });

  it.each(["anthropic", "responses", "gemini"] as const)(
    "does not make half an answer of %s a whole one",
    async (wire) => {
      const body = writeAnswer(wire, ["Hi", " there"]);
      const half = body.slice(0, body.indexOf("\n\n", body.indexOf("there")) + 2);
      const { error } = await answered(wire, { body: `${half}data: [DONE]\n\n` });
      expect(error).toMatchObject({ kind: "cut_off" });
    },
  );
});

describe("a whole answer whose server does not close it", () => {
  it("is complete all the same", async () => {
    const body = writeAnswer("anthropic", ["Hi"]);
    const { events, error } = await answered("anthropic", { body, stallAfter: body.length });
    expect(error).toBeUndefined();
    expect(events.at(-1)).toMatchObject({ type: "response_completed", reason: "stop" });
  });
});

describe("a server that falls silent", () => {
  it("is given up, in every format at its time: in the middle, and after the headers alone", async () => {
    const silent = async (wire: WireName, stallAfter: number) => {
      await using server = await ModelServer.start();
      server.answer({ body: writeAnswer(wire, ["Hi"]), stallAfter });
      const { stream } = await openWire(wire, server.url, { idleTimeout: 0.5 });
      return (await outcomeOf(stream)).error;
    };
    const cases = wireNames.flatMap((wire) => {
      const body = writeAnswer(wire, ["Hi"]);
      return [silent(wire, endOfLastWord(wire, body) - 10), silent(wire, 0)];
    });
    for (const error of await Promise.all(cases))
      expect(error).toMatchObject({
        kind: "cut_off",
        message: expect.stringContaining("nothing came for 0.5 s"),
      });
  });
});
