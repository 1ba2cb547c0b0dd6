import type * as Http from "node:http";
import { ModelError } from "../../model/model-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { isLoopback } from "./loopback.ts";

export type HttpResponse = {
  readonly status: number;
  readonly headers: Http.IncomingHttpHeaders;
  /** Throws `ModelError` (`cut_off` when the connection is lost or stalls) or `signal.reason`. */
  readonly body: AsyncIterable<Uint8Array>;
  /** The answer is whole: a connection that is not closed soon is no longer waited for. */
  readonly expectEnd: () => void;
};

export type HttpRequest = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

const connectTimeoutMs = 30_000;
const endTimeoutMs = 1_000;

/**
 * One request over `node:http`. Not `fetch`: loading it costs 25 ms at the start and twice the time per streamed
 * byte (docs/decisions/0004).
 */
export async function send(
  endpoint: Endpoint,
  request: HttpRequest,
  signal: AbortSignal,
): Promise<HttpResponse> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await attempt(endpoint, request, signal);
    } catch (error) {
      // A kept connection that the server closed just then: the request was never seen, so sending it again is safe.
      // After a restart of the server all kept ones are of that sort; in the end there is a new one.
      if (!(error instanceof StaleConnection)) throw error;
    }
  }
}

class StaleConnection extends Error {}

const agents = new Map<string, Http.Agent>();

/** Loaded by hand: importing these from a module would run their lazy getters, which load `fetch` after all. */
function client(url: URL): { request: typeof Http.request; agent: Http.Agent } {
  const secure = url.protocol === "https:";
  const http = secure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  const direct = isLoopback(url.hostname);
  const key = `${url.protocol}${direct ? "direct" : "proxied"}`;
  let agent = agents.get(key);
  if (!agent) {
    // HTTPS_PROXY and NO_PROXY are honoured by Node 22.21, 24.5 and newer; a server on this machine needs no proxy.
    const options = { keepAlive: true, ...(!direct && { proxyEnv: process.env }) };
    agent = new http.Agent(options);
    agents.set(key, agent);
  }
  return { request: http.request, agent };
}

/** Lets the process end: idle kept connections would hold it for seconds. */
export function closeIdleConnections(): void {
  for (const agent of agents.values()) agent.destroy();
  agents.clear();
}

function attempt(endpoint: Endpoint, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const url = parseUrl(endpoint, request.url);
    const outgoing = openRequest(endpoint, request, url);
    let silent = false;
    const stalled = () => {
      silent = true;
      outgoing.destroy(
        new ModelError("network", `No answer from ${url.host} for ${seconds(endpoint.idleTimeoutMs)}.`, {
          provider: endpoint.provider,
        }),
      );
    };
    const onAbort = () => outgoing.destroy();
    signal.addEventListener("abort", onAbort, { once: true });
    const connecting = setTimeout(() => {
      outgoing.destroy(
        new ModelError("network", `Could not connect to ${url.host} within ${seconds(connectTimeoutMs)}.`, {
          provider: endpoint.provider,
        }),
      );
    }, connectTimeoutMs);
    outgoing.once("socket", (socket) => {
      if (socket.connecting) socket.once(url.protocol === "https:" ? "secureConnect" : "connect", connected);
      else connected();
    });
    function connected() {
      clearTimeout(connecting);
      outgoing.setTimeout(endpoint.idleTimeoutMs, stalled);
    }
    outgoing.once("close", () => {
      clearTimeout(connecting);
      signal.removeEventListener("abort", onAbort);
    });
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else if (error instanceof ModelError) reject(error);
      else if (outgoing.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE")) {
        reject(new StaleConnection());
      } else reject(networkError(endpoint, url, error));
    });
    outgoing.once("response", (incoming) => {
      resolve({
        status: incoming.statusCode ?? 0,
        headers: incoming.headers,
        body: readBody(endpoint, incoming, () => silent, signal),
        expectEnd: () => void outgoing.setTimeout(endTimeoutMs),
      });
    });
    outgoing.end(request.body);
  });
}

function openRequest(endpoint: Endpoint, request: HttpRequest, url: URL): Http.ClientRequest {
  const { request: open, agent } = client(url);
  const length = request.body === undefined ? {} : { "content-length": Buffer.byteLength(request.body) };
  try {
    return open(url, { method: request.method, agent, headers: { ...request.headers, ...length } });
  } catch (error) {
    // A header of settings that HTTP cannot carry. Node names the header and keeps its value to itself.
    if (!(error instanceof TypeError)) throw error;
    const message = `A header for ${endpoint.provider} cannot be sent: ${error.message}`;
    throw new ModelError("bad_request", message, { provider: endpoint.provider });
  }
}

async function* readBody(
  endpoint: Endpoint,
  incoming: Http.IncomingMessage,
  silent: () => boolean,
  signal: AbortSignal,
): AsyncIterable<Uint8Array> {
  try {
    yield* decompressed(incoming);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const reason = silent()
      ? `nothing came for ${seconds(endpoint.idleTimeoutMs)}`
      : "the connection was closed";
    throw new ModelError("cut_off", `The answer was cut off before its end: ${reason}`, {
      provider: endpoint.provider,
      cause: error,
    });
  } finally {
    incoming.destroy();
  }
  if (signal.aborted) throw signal.reason;
}

/** We ask for plain bytes, yet some gateways compress whatever one asks for. */
function decompressed(incoming: Http.IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = incoming.headers["content-encoding"];
  if (!encoding || encoding === "identity") return incoming;
  const zlib = process.getBuiltinModule("node:zlib");
  const { pipeline } = process.getBuiltinModule("node:stream");
  const decoder = encoding === "br" ? zlib.createBrotliDecompress() : zlib.createUnzip();
  // The pipeline destroys the decoder with the error, which the reader of the decoder then gets.
  return pipeline(incoming, decoder, () => {});
}

function parseUrl(endpoint: Endpoint, url: string): URL {
  const parsed = URL.parse(url);
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new ModelError("bad_request", `The base URL of ${endpoint.provider} is not an http(s) address.`, {
    provider: endpoint.provider,
  });
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "the name is not known",
  EAI_AGAIN: "the name could not be looked up: is the network up?",
  ECONNRESET: "the connection was closed",
  ETIMEDOUT: "the connection timed out",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed (NODE_EXTRA_CA_CERTS can add it)",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate chain is self-signed (NODE_EXTRA_CA_CERTS can add it)",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate's issuer is not known (NODE_EXTRA_CA_CERTS can add it)",
};

function networkError(endpoint: Endpoint, url: URL, error: NodeJS.ErrnoException): ModelError {
  const code = error.code ?? "";
  return new ModelError("network", `Could not reach ${url.host}: ${reasons[code] ?? error.message}.`, {
    provider: endpoint.provider,
    ...(code && { code }),
    // A parser's error holds what it could not parse, and that may repeat our key.
    ...(!("rawPacket" in error) && { cause: error }),
  });
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`;
}
