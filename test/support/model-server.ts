import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type AnswerPart, type WireName, writeAnswer } from "./wire-answers.ts";

/** What the server was asked. */
export type RecordedRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of five formats
  readonly body: any;
  /** Tells connections apart: the client's port. */
  readonly connection: number;
  /** When the answer has been sent, or the client has gone. */
  readonly closed: Promise<void>;
};

/** One answer, byte for byte. */
export type RawAnswer = {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Sends the body in pieces of this many bytes, each an HTTP chunk of its own. */
  readonly pieceSize?: number;
  /** Closes the connection after so many bytes of the body. */
  readonly cutAfter?: number;
  /** Sends so many bytes and then nothing more, with the connection open. */
  readonly stallAfter?: number;
  /** Instead of `body`: sends each piece as it comes, so that a test can hold the next one back. */
  readonly pieces?: AsyncIterable<string>;
};

/** A scripted answer in whatever format was asked, or raw bytes, or a function of the request. */
export type Answer =
  | readonly AnswerPart[]
  | RawAnswer
  | ((request: RecordedRequest) => readonly AnswerPart[] | RawAnswer);

/** A real HTTP server on loopback that speaks the providers' wire formats and plays what a test gives it. */
export class ModelServer implements AsyncDisposable {
  readonly requests: RecordedRequest[] = [];
  readonly #answers: Answer[] = [];
  readonly #fixed = new Map<string, RawAnswer>();
  readonly #server = createServer((request, response) => void this.#handle(request, response));

  static async start(): Promise<ModelServer> {
    const server = new ModelServer();
    await new Promise<void>((resolve) => server.#server.listen(0, "127.0.0.1", resolve));
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Adds answers to the queue; each model request takes one, and the last one is used again and again. */
  answer(...answers: Answer[]): this {
    this.#answers.push(...answers);
    return this;
  }

  /** Answers every request for this path, outside of the queue: model lists and the like. */
  at(path: string, answer: RawAnswer): this {
    this.#fixed.set(path, answer);
    return this;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString("utf8");
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body: text === "" ? undefined : JSON.parse(text),
      connection: request.socket.remotePort ?? 0,
      closed: new Promise((resolve) => response.once("close", resolve)),
    };
    this.requests.push(recorded);
    const fixed = this.#fixed.get(recorded.path);
    if (fixed) return send(response, fixed);
    const wire = wireOf(recorded.path);
    const next = wire && this.#answers.length > 1 ? this.#answers.shift() : this.#answers[0];
    if (!next || !wire) {
      return send(response, { status: 404, body: '{"error":{"message":"nothing here"}}' });
    }
    const answer = typeof next === "function" ? next(recorded) : next;
    await send(response, isRaw(answer) ? answer : { body: writeAnswer(wire, answer) }, wire);
  }
}

function isRaw(answer: readonly AnswerPart[] | RawAnswer): answer is RawAnswer {
  return !Array.isArray(answer);
}

function wireOf(path: string): WireName | undefined {
  if (path.endsWith("/v1/messages")) return "anthropic";
  if (path.endsWith("/responses")) return "responses";
  if (path.endsWith("/chat/completions")) return "chat";
  if (path.includes(":streamGenerateContent")) return "gemini";
  return path === "/api/chat" ? "ollama" : undefined;
}

async function send(response: ServerResponse, answer: RawAnswer, wire?: WireName): Promise<void> {
  const status = answer.status ?? 200;
  const stream = wire === "ollama" ? "application/x-ndjson" : "text/event-stream";
  const type = status === 200 && wire ? stream : "application/json";
  const chunked = answer.pieceSize ? { "transfer-encoding": "chunked" } : {};
  response.writeHead(status, { "content-type": type, ...chunked, ...answer.headers });
  response.flushHeaders();
  if (answer.pieces) {
    for await (const piece of answer.pieces) response.write(piece);
    response.end();
    return;
  }
  const body = Buffer.from(answer.body ?? "");
  const shown = body.subarray(0, answer.cutAfter ?? answer.stallAfter ?? body.length);
  if (answer.pieceSize) {
    // Chunk framing written by hand: a million one-byte chunks cost little this way.
    response.chunkedEncoding = false;
    await write(response, framed(shown, answer.pieceSize, answer));
  } else if (shown.length > 0) await write(response, shown);
  if (answer.stallAfter !== undefined) return;
  if (answer.cutAfter !== undefined) response.destroy();
  else response.end();
}

function framed(body: Uint8Array, size: number, answer: RawAnswer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), Buffer.from(piece), Buffer.from("\r\n"));
  }
  if (answer.cutAfter === undefined && answer.stallAfter === undefined) parts.push(Buffer.from("0\r\n\r\n"));
  return Buffer.concat(parts);
}

function write(response: ServerResponse, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve) => response.write(bytes, () => resolve()));
}

/** Pieces that a test lets through one by one. */
export function gated(pieces: readonly string[]): { pieces: AsyncIterable<string>; open: () => void } {
  let opened = 0;
  let wake: (() => void) | undefined;
  async function* flow() {
    for (let at = 0; at < pieces.length; at++) {
      while (opened <= at) await new Promise<void>((resolve) => (wake = resolve));
      yield pieces[at] ?? "";
    }
  }
  return {
    pieces: flow(),
    open() {
      opened++;
      wake?.();
    },
  };
}
