import { isJsonObject, type JsonObject } from "../../model/json.ts";

/*
 * Readers for what providers send: a field that is missing or of another type reads as nothing, so that an odd
 * payload can never throw in the middle of a stream.
 */

const nothing: JsonObject = {};

export function object(value: unknown): JsonObject {
  return isJsonObject(value) ? value : nothing;
}

export function array(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function optionalText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : 0;
}

/** What a table of ours has for a provider's word, which may be any: `constructor` is in no table. */
export function lookUp<T>(table: Readonly<Record<string, T>>, word: string | undefined): T | undefined {
  return word !== undefined && Object.hasOwn(table, word) ? table[word] : undefined;
}

/** The object in a JSON text, or nothing when it is something else or not JSON at all. */
export function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // not JSON
  }
}
