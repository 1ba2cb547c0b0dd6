import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { everythingIn } from "../../../test/support/everything-in.ts";
import { ModelError } from "../../model/model-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { closeIdleConnections, type HttpRequest, send } from "./http-transport.ts";

afterEach(() => closeIdleConnections());

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A bare server, for what happens to connections; `sockets` are those it has seen, in order. */
async function listen(handler: Handler): Promise<{ url: string; sockets: readonly Socket[] }> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => handler(request, response));
  });
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: await urlOf(server), sockets };
}

function urlOf(server: Server): Promise<string> {
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
    }),
  );
}

function endpointAt(baseURL: string, idleTimeoutMs = 20_000): Endpoint {
  return { provider: "test", baseURL, headers: {}, secrets: [], idleTimeoutMs };
}

function ask(url: string, options: { signal?: AbortSignal; idleTimeoutMs?: number; body?: string } = {}) {
  const { signal = new AbortController().signal, idleTimeoutMs, body } = options;
  const request: HttpRequest = { method: body === undefined ? "GET" : "POST", url, ...(body && { body }) };
  return send(endpointAt(url, idleTimeoutMs), request, signal);
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of body) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

const closed = (socket: Socket | undefined) =>
  new Promise<void>((resolve) => {
    if (!socket || socket.destroyed) resolve();
    else socket.once("close", () => resolve());
  });

const thrownBy = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => error,
  );

describe("a connection", () => {
  it("serves request after request", async () => {
    const { url, sockets } = await listen((_, response) => response.end("fine"));
    for (let count = 0; count < 5; count++) {
      const { status, body } = await ask(url, { body: "{}" });
      expect([status, await textOf(body)]).toEqual([200, "fine"]);
    }
    expect(sockets).toHaveLength(1);
  });

  it("is kept after an error answer, too", async () => {
    const { url, sockets } = await listen((_, response) => response.writeHead(500).end("broken"));
    for (let count = 0; count < 3; count++) await textOf((await ask(url)).body);
    expect(sockets).toHaveLength(1);
  });

  it("is not shared by requests at the same time", async () => {
    const waiting: ServerResponse[] = [];
    const { url, sockets } = await listen((_, response) => {
      waiting.push(response);
      if (waiting.length === 3) for (const each of waiting) each.end("together");
    });
    const bodies = await Promise.all([1, 2, 3].map(async () => textOf((await ask(url)).body)));
    expect(bodies).toEqual(["together", "together", "together"]);
    expect(sockets).toHaveLength(3);
  });

  it("that the server closes as the next request arrives is replaced without a word", async () => {
    const served = new WeakSet<Socket>();
    const { url, sockets } = await listen((request, response) => {
      if (served.has(request.socket)) request.socket.destroy();
      else response.end("fine");
      served.add(request.socket);
    });
    await textOf((await ask(url)).body);
    expect(await textOf((await ask(url, { body: '{"again":true}' })).body)).toBe("fine");
    expect(sockets).toHaveLength(2);
  });

  it("is replaced even when every kept one turns out to be closed", async () => {
    const served = new WeakSet<Socket>();
    const waiting: ServerResponse[] = [];
    const { url, sockets } = await listen((request, response) => {
      if (served.has(request.socket)) return void request.socket.destroy();
      served.add(request.socket);
      if (waiting.length === 3) return void response.end("new");
      waiting.push(response);
      if (waiting.length === 3) for (const each of waiting) each.end("first");
    });
    await Promise.all([1, 2, 3].map(async () => textOf((await ask(url)).body)));
    expect(sockets).toHaveLength(3);
    expect(await textOf((await ask(url)).body)).toBe("new");
    expect(sockets).toHaveLength(4);
  });

  it("that was new and is closed without an answer is a network error, not tried again", async () => {
    const { url, sockets } = await listen((request) => request.socket.destroy());
    expect(await thrownBy(ask(url))).toMatchObject({
      name: "ModelError",
      kind: "network",
      code: "ECONNRESET",
      transient: true,
      message: `Could not reach ${new URL(url).host}: the connection was closed.`,
    });
    expect(sockets).toHaveLength(1);
  });
});

describe("a server that cannot be spoken to", () => {
  it("is named when nothing listens there", async () => {
    const server = createTcpServer();
    const url = await urlOf(server);
    await new Promise((resolve) => server.close(resolve));
    const error = await thrownBy(ask(url));
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({
      kind: "network",
      code: "ECONNREFUSED",
      message: `Could not reach ${new URL(url).host}: nothing listens there.`,
    });
  });

  it("is named when it does not speak HTTP", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {}); // the client hangs up on us
      socket.once("data", () => socket.end("220 mail.example ESMTP\r\n"));
    });
    onTestFinished(() => void server.close());
    const error = await thrownBy(ask(await urlOf(server)));
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind: "network" });
  });

  it("gives nothing away when it repeats what it was sent instead of an answer", async () => {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {}); // the client hangs up on us
      socket.pipe(socket);
    });
    onTestFinished(() => void server.close());
    const url = await urlOf(server);
    const request: HttpRequest = { method: "GET", url, headers: { authorization: "Bearer sk-secret-key" } };
    const error = await thrownBy(send(endpointAt(url), request, new AbortController().signal));
    expect(error).toMatchObject({ kind: "network", code: expect.stringMatching(/^HPE_/) });
    expect(everythingIn(error)).not.toContain("sk-secret-key");
  });

  it.each(["", "localhost:1234", "ftp://example.com", "no address"])("is refused at %j", async (url) => {
    const error = await thrownBy(ask(url));
    expect(error).toMatchObject({
      kind: "bad_request",
      message: "The base URL of test is not an http(s) address.",
    });
  });

  it.each([
    [{ "x-note": "two\nlines" }, "x-note"],
    [{ "bad name": "value" }, "bad name"],
  ])("is not asked with the header %j, which HTTP cannot carry", async (headers, name) => {
    const { url, sockets } = await listen((_, response) => response.end());
    const request: HttpRequest = { method: "GET", url, headers };
    const error = await thrownBy(send(endpointAt(url), request, new AbortController().signal));
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind: "bad_request", message: expect.stringContaining(name) });
    expect(String(error)).not.toContain("lines");
    expect(sockets).toHaveLength(0);
  });
});

describe("a proxy of the environment", () => {
  async function withProxy() {
    const seen: (string | undefined)[] = [];
    const proxy = await listen((request, response) => {
      seen.push(request.url);
      response.end("from the proxy");
    });
    vi.stubEnv("HTTP_PROXY", proxy.url);
    vi.stubEnv("http_proxy", proxy.url);
    vi.stubEnv("NO_PROXY", "");
    vi.stubEnv("no_proxy", "");
    onTestFinished(() => void vi.unstubAllEnvs());
    return seen;
  }

  it("is used for a server elsewhere", async () => {
    const seen = await withProxy();
    const { body } = await ask("http://api.example.invalid/v1/models");
    expect(await textOf(body)).toBe("from the proxy");
    expect(seen).toEqual(["http://api.example.invalid/v1/models"]);
  });

  it("is not asked for a server on this machine", async () => {
    const seen = await withProxy();
    const { url } = await listen((_, response) => response.end("direct"));
    expect(await textOf((await ask(url)).body)).toBe("direct");
    expect(seen).toEqual([]);
  });
});

describe("a cancel throws the signal's reason", () => {
  const reason = new Error("stopped by the user");

  it("before anything is sent", async () => {
    const { url, sockets } = await listen((_, response) => response.end());
    expect(await thrownBy(ask(url, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(sockets).toHaveLength(0);
  });

  it("while connecting", async () => {
    const { url } = await listen((_, response) => response.end());
    const controller = new AbortController();
    const asked = ask(url, { signal: controller.signal });
    controller.abort(reason);
    expect(await thrownBy(asked)).toBe(reason);
  });

  it("while waiting for the first byte, and closes the connection", async () => {
    const controller = new AbortController();
    const { url, sockets } = await listen(() => controller.abort(reason));
    expect(await thrownBy(ask(url, { signal: controller.signal }))).toBe(reason);
    await closed(sockets[0]);
  });

  it("in the middle of the answer, and closes the connection", async () => {
    const controller = new AbortController();
    const { url, sockets } = await listen((_, response) => response.write("first"));
    const { body } = await ask(url, { signal: controller.signal });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const piece of body) {
        seen.push(Buffer.from(piece).toString());
        controller.abort(reason);
      }
    })();
    expect(await thrownBy(reading)).toBe(reason);
    expect(seen).toEqual(["first"]);
    await closed(sockets[0]);
  });

  it("after the headers and before the body is read", async () => {
    const controller = new AbortController();
    const { url, sockets } = await listen((_, response) => response.write("first"));
    const { body } = await ask(url, { signal: controller.signal });
    controller.abort(reason);
    expect(await thrownBy(textOf(body))).toBe(reason);
    await closed(sockets[0]);
  });

  it("and is no longer listened for once the answer is whole", async () => {
    const { url, sockets } = await listen((_, response) => response.end("whole"));
    const controller = new AbortController();
    expect(await textOf((await ask(url, { signal: controller.signal })).body)).toBe("whole");
    await new Promise(setImmediate);
    controller.abort(reason);
    expect(await textOf((await ask(url)).body)).toBe("whole");
    expect(sockets).toHaveLength(1);
  });
});

describe("leaving the loop", () => {
  it.each([
    ["a plain answer", {}, (text: string) => Buffer.from(text)],
    ["a compressed answer", { "content-encoding": "gzip" }, (text: string) => gzipSync(text)],
  ])("closes the connection of %s", async (_, headers, write) => {
    // Never ended: only the client can close it.
    const { url, sockets } = await listen((_, response) => {
      response.writeHead(200, headers).write(write("one of many pieces"));
    });
    for await (const piece of (await ask(url)).body) {
      expect(Buffer.from(piece).toString()).toBe("one of many pieces");
      break;
    }
    await closed(sockets[0]);
  });
});

describe("a silent server", () => {
  it("is given up before its first byte: a network error that names it", async () => {
    const { url, sockets } = await listen(() => {});
    expect(await thrownBy(ask(url, { idleTimeoutMs: 100 }))).toMatchObject({
      kind: "network",
      message: `No answer from ${new URL(url).host} for 0.1 s.`,
    });
    await closed(sockets[0]);
  });

  it("is given up in the middle of its answer: cut off, and the error says for how long it was silent", async () => {
    const { url, sockets } = await listen((_, response) => response.write("first"));
    const { body } = await ask(url, { idleTimeoutMs: 500 });
    const error = await thrownBy(textOf(body));
    expect(error).toMatchObject({
      kind: "cut_off",
      message: "The answer was cut off before its end: nothing came for 0.5 s",
    });
    await closed(sockets[0]);
  });

  it("does not shorten the patience of the next request on its connection", async () => {
    let late: ServerResponse | undefined;
    const { url, sockets } = await listen((request, response) => {
      if (request.url === "/quick") response.end("quick");
      else late = response;
    });
    await textOf((await ask(`${url}/quick`, { idleTimeoutMs: 400 })).body);
    const slow = ask(`${url}/slow`, { idleTimeoutMs: 20_000 });
    // Longer than the first request's patience, far shorter than the second's.
    setTimeout(() => late?.end("slow"), 600);
    expect(await textOf((await slow).body)).toBe("slow");
    expect(sockets).toHaveLength(1);
  });
});

describe("a compressed answer", () => {
  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
  ])("in %s is read as the text it is", async (encoding, compress) => {
    const { url } = await listen((_, response) => {
      response.writeHead(200, { "content-encoding": encoding }).end(compress("many words ".repeat(500)));
    });
    expect(await textOf((await ask(url)).body)).toBe("many words ".repeat(500));
  });

  it.each([1, 10, 15])("that ends after %i bytes is cut off", async (length) => {
    const { url } = await listen((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(gzipSync("many words ".repeat(500)).subarray(0, length));
    });
    expect(await thrownBy(ask(url).then(({ body }) => textOf(body)))).toMatchObject({ kind: "cut_off" });
  });

  it("that is not compressed at all is cut off, not a crash", async () => {
    const { url } = await listen((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("plain words");
    });
    expect(await thrownBy(ask(url).then(({ body }) => textOf(body)))).toMatchObject({ kind: "cut_off" });
  });
});
