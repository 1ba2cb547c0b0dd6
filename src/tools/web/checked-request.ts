import type { LookupAddress } from "node:dns";
import type { IncomingMessage } from "node:http";
import type { LookupFunction } from "node:net";
import type { AllowAddress } from "./public-address.ts";

/** A request that is refused or failed. The message is for the model. */
export class RequestFailed extends Error {
  override readonly name = "RequestFailed";
}

export type WebAnswer = {
  readonly status: number;
  readonly contentType: string;
  /** The first bytes, up to the limit. */
  readonly body: Buffer;
  readonly isCut: boolean;
  /** Where it says to go instead. */
  readonly location?: URL;
};

/** All addresses of a name. */
export type ResolveName = (host: string) => Promise<readonly LookupAddress[]>;

export type RequestLimits = {
  readonly allowAddress: AllowAddress;
  readonly resolveName?: ResolveName | undefined;
  readonly mostBytes: number;
};

/**
 * One GET. The name is resolved first, every address it has is checked, and the connection goes to one of those very
 * addresses: nobody can answer the check with one and the connection with another. Throws `RequestFailed`, or
 * `signal.reason`.
 */
export async function requestChecked(
  url: URL,
  limits: RequestLimits,
  signal: AbortSignal,
): Promise<WebAnswer> {
  checkUrl(url);
  const addresses = await unlessAborted(resolveChecked(url, limits), signal);
  const response = await send(url, addresses, signal);
  try {
    const { body, isCut } = await readBody(response, limits.mostBytes, signal);
    const { location } = response.headers;
    const target = location === undefined ? null : URL.parse(location, url.href);
    return {
      status: response.statusCode ?? 0,
      contentType: response.headers["content-type"] ?? "",
      body,
      isCut,
      ...(target ? { location: target } : {}),
    };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestFailed) throw error;
    throw new RequestFailed(`${url.host} sent something that cannot be read: ${messageOf(error)}`);
  } finally {
    response.destroy();
  }
}

function checkUrl(url: URL): void {
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new RequestFailed(`Only http and https can be fetched, not ${url.protocol.slice(0, -1)}.`);
  if (url.username !== "" || url.password !== "")
    throw new RequestFailed("A URL with a user name or password in it is not fetched.");
}

/** The system's own look-up cannot be stopped: it is left behind. */
async function unlessAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const resolveBySystem: ResolveName = (host) =>
  process.getBuiltinModule("node:dns/promises").lookup(host, { all: true });

async function resolveChecked(
  url: URL,
  { allowAddress, resolveName = resolveBySystem }: RequestLimits,
): Promise<readonly LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const { isIP } = process.getBuiltinModule("node:net");
  let addresses: readonly LookupAddress[];
  try {
    addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await resolveName(host);
  } catch (error) {
    throw new RequestFailed(`${host} cannot be found: ${messageOf(error)}`);
  }
  if (addresses.length === 0 || !addresses.every(({ address }) => allowAddress(address)))
    throw new RequestFailed(`${host} is not on the public internet. Only public addresses are fetched.`);
  return addresses;
}

function send(url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const { request } =
    url.protocol === "https:"
      ? process.getBuiltinModule("node:https")
      : process.getBuiltinModule("node:http");
  const lookup: LookupFunction = (_host, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? "", first?.family ?? 0);
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "GET",
      // A connection of its own: one from a pool could lead elsewhere.
      agent: false,
      lookup,
      signal,
      headers: {
        "user-agent": "aintern",
        accept: "text/html,text/plain,application/json,*/*;q=0.5",
        "accept-encoding": "gzip, br, deflate",
      },
    });
    sent.once("response", resolve);
    sent.once("error", (error) =>
      reject(
        signal.aborted
          ? signal.reason
          : new RequestFailed(`${url.host} cannot be reached: ${messageOf(error)}`),
      ),
    );
    sent.end();
  });
}

async function readBody(
  response: IncomingMessage,
  mostBytes: number,
  signal: AbortSignal,
): Promise<{ readonly body: Buffer; readonly isCut: boolean }> {
  const decoded = decompress(response);
  const onAbort = () => decoded.destroy(new Error("stopped"));
  signal.addEventListener("abort", onAbort, { once: true });
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    for await (const piece of decoded) {
      pieces.push(piece);
      size += piece.length;
      if (size > mostBytes) break;
    }
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
  return { body: Buffer.concat(pieces).subarray(0, mostBytes), isCut: size > mostBytes };
}

/** What is unpacked is bounded by whoever reads it, so that a small answer cannot become a huge one. */
function decompress(
  response: IncomingMessage,
): NodeJS.ReadableStream & AsyncIterable<Buffer> & { destroy(error?: Error): unknown } {
  const encoding = (response.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (encoding === "" || encoding === "identity") return response;
  const { createBrotliDecompress, createUnzip } = process.getBuiltinModule("node:zlib");
  const unpack =
    encoding === "br"
      ? createBrotliDecompress()
      : encoding === "gzip" || encoding === "x-gzip" || encoding === "deflate"
        ? createUnzip()
        : undefined;
  if (!unpack) throw new RequestFailed(`The answer is packed in a way that is not known: ${encoding}`);
  response.once("error", (error) => unpack.destroy(error));
  return response.pipe(unpack);
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  return error.message || code || error.name;
}
