import type { JsonObject, JsonValue } from "../../model/json.ts";
import type { Signature } from "../../model/message.ts";
import { object, text } from "../http/read-json.ts";

/** What a package says of a block may come with any of its parts: Anthropic's signature with the last delta. */
export class BlockSeals {
  readonly #origin: string;
  readonly #open = new Map<string, JsonObject>();

  constructor(origin: string) {
    this.#origin = origin;
  }

  add(part: JsonObject): void {
    const known = object(this.#open.get(keyOf(part)));
    const added = Object.entries(object(part.providerMetadata)).map(([name, said]) => [
      name,
      { ...object(known[name]), ...object(said) },
    ]);
    this.#open.set(keyOf(part), { ...known, ...Object.fromEntries(added) });
  }

  close(part: JsonObject): Signature | undefined {
    this.add(part);
    const signature = sealed(this.#open.get(keyOf(part)), this.#origin);
    this.#open.delete(keyOf(part));
    return signature;
  }
}

export function sealed(metadata: JsonValue | undefined, origin: string): Signature | undefined {
  return metadata && Object.keys(object(metadata)).length > 0 ? { origin, value: metadata } : undefined;
}

/** Our event for a part of a text or reasoning block. */
export function eventOf(part: JsonObject): "text_delta" | "thinking_delta" {
  return text(part.type).startsWith("text") ? "text_delta" : "thinking_delta";
}

function keyOf(part: JsonObject): string {
  return `${eventOf(part)} ${text(part.id)}`;
}
