import type { JsonObject } from "../../model/json.ts";
import type { Endpoint } from "./endpoint.ts";
import { send } from "./http-transport.ts";
import { parseObject } from "./read-json.ts";

const mostBytes = 8 * 1024 * 1024;

/** Asks a server about itself. Undefined when it answers with an error or something else than a JSON object. */
export async function askJson(
  endpoint: Endpoint,
  path: string,
  signal: AbortSignal,
  body?: JsonObject,
): Promise<JsonObject | undefined> {
  const response = await send(
    endpoint,
    {
      method: body ? "POST" : "GET",
      url: endpoint.baseURL + path,
      headers: { "content-type": "application/json", ...endpoint.headers },
      ...(body && { body: JSON.stringify(body) }),
    },
    signal,
  );
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body) {
    pieces.push(piece);
    size += piece.length;
    if (size > mostBytes) return undefined;
  }
  return response.status === 200 ? parseObject(Buffer.concat(pieces).toString("utf8")) : undefined;
}
