import { createParser } from "eventsource-parser";
import type { Model } from "../../model/catalogue.ts";
import type { JsonObject } from "../../model/json.ts";
import { ModelError } from "../../model/model-error.ts";
import type { ModelEvent } from "../../model/model-event.ts";
import type { ModelRequest } from "../../model/model-request.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { type HttpResponse, send } from "../http/http-transport.ts";
import { providerError } from "../http/provider-error.ts";
import { parseObject } from "../http/read-json.ts";
import { redact, redactJson } from "../http/redact.ts";
import type { WireFormat } from "./wire-format.ts";

/** Asks over HTTP and yields the answer as it arrives. */
export async function* streamAnswer(
  format: WireFormat,
  endpoint: Endpoint,
  request: ModelRequest,
  model: Model | undefined,
  signal: AbortSignal,
): AsyncIterable<ModelEvent> {
  const wire = format.encode(request, model);
  const response = await send(
    endpoint,
    {
      method: "POST",
      url: endpoint.baseURL + wire.path,
      headers: {
        "content-type": "application/json",
        accept: format.framing === "sse" ? "text/event-stream" : "application/x-ndjson",
        ...wire.headers,
        ...endpoint.headers,
      },
      body: JSON.stringify(wire.body),
    },
    signal,
  );
  if (response.status < 200 || response.status > 299) throw await failure(endpoint, response);

  const decoder = format.decode(endpoint);
  const payloads = new PayloadReader(format.framing);
  const whole = () => decoder.finished() || (format.endsWithDone === true && payloads.done);
  try {
    for await (const chunk of response.body) {
      for (const payload of payloads.read(chunk)) {
        // Not `yield*`, which makes a promise more for every event of a list.
        for (const event of eventsOf(payload, decoder.push, endpoint)) yield event;
      }
      if (whole()) response.expectEnd();
    }
    for (const payload of payloads.rest()) yield* eventsOf(payload, decoder.push, endpoint);
  } catch (error) {
    // What happens to the connection after the answer is whole is of no interest.
    if (!(whole() && error instanceof ModelError && error.kind === "cut_off")) throw error;
  }
  if (!whole()) throw incomplete(endpoint, payloads);
  yield* decoder.end();
}

function* eventsOf(
  payload: JsonObject | string,
  push: (payload: JsonObject) => readonly ModelEvent[],
  endpoint: Endpoint,
): Iterable<ModelEvent> {
  if (typeof payload === "string") {
    yield { type: "trace", name: "unparsable", data: redact(payload.slice(0, 500), endpoint.secrets) };
    return;
  }
  const { secrets } = endpoint;
  for (const event of push(payload)) {
    if (event.type !== "trace") yield event;
    else {
      const data = event.data === undefined ? {} : { data: redactJson(event.data, secrets) };
      yield { type: "trace", name: redact(event.name, secrets), ...data };
    }
  }
}

async function failure(endpoint: Endpoint, response: HttpResponse): Promise<ModelError> {
  const { status, headers } = response;
  const body = await readStart(response);
  if (status < 400) {
    const message = `${endpoint.baseURL} answered with a redirect (HTTP ${status}). Set the base URL to its target.`;
    return new ModelError("bad_request", message, { provider: endpoint.provider, status });
  }
  return providerError(endpoint, { status, headers, body });
}

async function readStart(response: HttpResponse): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body) {
      pieces.push(chunk);
      size += chunk.length;
      if (size > 256 * 1024) break;
    }
  } catch (error) {
    // An error answer that is itself cut off: its status and first words still tell.
    if (!(error instanceof ModelError)) throw error;
  }
  return Buffer.concat(pieces).toString("utf8");
}

function incomplete(endpoint: Endpoint, payloads: PayloadReader): ModelError {
  if (payloads.seen > 0 || payloads.beganAsStream()) {
    return new ModelError("cut_off", "The answer was cut off before its end.", {
      provider: endpoint.provider,
    });
  }
  // HTTP 200 and no stream: a JSON error from a gateway, or a web page where an API was expected.
  const failed = parseObject(payloads.start);
  if (failed && (failed.error !== undefined || failed.detail !== undefined)) {
    return providerError(endpoint, { body: failed });
  }
  if (payloads.start.trim() === "") {
    return new ModelError("cut_off", "The answer was empty.", { provider: endpoint.provider });
  }
  return new ModelError(
    "bad_request",
    `${endpoint.baseURL} did not answer with a stream. Is the base URL right?`,
    {
      provider: endpoint.provider,
    },
  );
}

const sseFields = ["data:", "event:", "id:", "retry:", ":"] as const;

/** Bytes to JSON payloads, for any cut of the bytes. A payload that is not a JSON object comes out as its text. */
class PayloadReader {
  readonly #decoder = new TextDecoder();
  readonly #framing: "sse" | "lines";
  readonly #ready: string[] = [];
  readonly #sse = createParser({ onEvent: ({ data }) => void this.#ready.push(data) });
  #line = "";
  /** The beginning of the body, kept until a payload has been seen. */
  start = "";
  seen = 0;
  /** The server has closed a stream that was not empty with `[DONE]`. */
  done = false;

  constructor(framing: "sse" | "lines") {
    this.#framing = framing;
  }

  read(chunk: Uint8Array): Iterable<JsonObject | string> {
    return this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Whether the body, of which no payload could be read, is the beginning of a stream and not something else. */
  beganAsStream(): boolean {
    const first = this.start.trim();
    if (first === "") return false;
    if (this.#framing === "lines") return first.startsWith("{") && !first.includes("\n");
    return sseFields.some((field) => first.startsWith(field) || field.startsWith(first));
  }

  /** What an end without a line break left behind. */
  rest(): Iterable<JsonObject | string> {
    return this.#take(`${this.#decoder.decode()}\n\n`);
  }

  *#take(text: string): Iterable<JsonObject | string> {
    if (this.seen === 0 && this.start.length < 64 * 1024) this.start += text;
    if (this.#framing === "sse") this.#sse.feed(text);
    else this.#splitLines(text);
    for (const data of this.#ready) {
      if (data === "") continue;
      if (data === "[DONE]") {
        this.done = this.seen > 0;
        continue;
      }
      const payload = parseObject(data);
      if (payload) this.seen++;
      yield payload ?? data;
    }
    this.#ready.length = 0;
  }

  #splitLines(text: string): void {
    const lines = text.split("\n");
    const last = lines.pop() ?? "";
    for (const line of lines) {
      this.#ready.push((this.#line + line).trim());
      this.#line = "";
    }
    this.#line += last;
  }
}
