import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { readJson } from "./lenient-json.ts";
import type { ParsedCall } from "./parser-event.ts";
import type { ToolSet } from "./tool-set.ts";

export const nameKeys = ["name", "tool", "tool_name"] as const;
export const argumentKeys = ["arguments", "parameters", "args", "input"] as const;
const idKeys = ["id", "tool_call_id", "call_id"] as const;

/** Every key that a call written as an object may have. */
export const callKeys: ReadonlySet<string> = new Set([
  ...nameKeys,
  ...argumentKeys,
  ...idKeys,
  "type",
  "function",
  "index",
]);

export type ObjectCallRules = {
  /** Whether a name alone is a call without arguments. */
  readonly argumentsMayBeMissing: boolean;
  /** Whether `{"name of the tool": {…arguments}}` is a call: always, or when that tool is declared. */
  readonly nameAsKey?: true;
  readonly tools: ToolSet;
};

export type ObjectCall =
  | { readonly call: ParsedCall }
  | { readonly problem: "no_name" | "no_arguments"; readonly name?: string };

/** Reads a call from a JSON object, in any of the spellings in use. */
export function readObjectCall(value: JsonValue, rules: ObjectCallRules): ObjectCall {
  if (!isJsonObject(value)) return { problem: "no_name" };
  const wrapped = value.function;
  if (isJsonObject(wrapped)) return withId(readObjectCall(wrapped, rules), value);
  const name = first(value, nameKeys) ?? wrapped;
  if (name === "") return { problem: "no_name" };
  if (typeof name !== "string") return readKeyedCall(value, rules);
  const written = first(value, argumentKeys);
  if (written === undefined || written === null) {
    if (!rules.argumentsMayBeMissing) return { problem: "no_arguments", name };
    return withId({ call: { name, arguments: {} } }, value);
  }
  const args = argumentsOf(written);
  return args ? withId({ call: { name, arguments: args } }, value) : { problem: "no_arguments", name };
}

function readKeyedCall(value: JsonObject, rules: ObjectCallRules): ObjectCall {
  const entries = Object.entries(value);
  const [entry] = entries;
  if (!entry || entries.length !== 1) return { problem: "no_name" };
  const [name, written] = entry;
  const args = rules.nameAsKey || rules.tools.declares(name) ? argumentsOf(written) : undefined;
  return args ? { call: { name, arguments: args } } : { problem: "no_name" };
}

/** The arguments object, which some models write as a string that holds JSON. */
function argumentsOf(value: JsonValue): JsonObject | undefined {
  if (isJsonObject(value)) return value;
  if (typeof value !== "string") return undefined;
  const inner = value.trim() === "" ? {} : readJson(value);
  return isJsonObject(inner) ? inner : undefined;
}

function withId(result: ObjectCall, source: JsonObject): ObjectCall {
  const id = first(source, idKeys);
  if (!("call" in result) || typeof id !== "string") return result;
  return { call: { ...result.call, id } };
}

function first(object: JsonObject, keys: readonly string[]): JsonValue | undefined {
  for (const key of keys) {
    if (Object.hasOwn(object, key)) return object[key];
  }
  return undefined;
}
