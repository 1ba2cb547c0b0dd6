import { MessageAssembler } from "../../src/model/assemble-message.ts";
import type { JsonObject } from "../../src/model/json.ts";
import type { Endpoint } from "../../src/providers/http/endpoint.ts";
import type { WireDecoder } from "../../src/providers/wire/wire-format.ts";

/** An endpoint that nobody calls. */
export const testEndpoint: Endpoint = {
  provider: "test",
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
};

/** A whole answer, payload by payload: its events, and what they come to. */
export function decodeAll(decoder: WireDecoder, payloads: readonly JsonObject[]) {
  const events = payloads.flatMap((payload) => [...decoder.push(payload)]);
  const all = [...events, ...decoder.end()];
  const assembler = new MessageAssembler();
  for (const event of all) assembler.add(event);
  return { events: all, ...assembler.snapshot() };
}
