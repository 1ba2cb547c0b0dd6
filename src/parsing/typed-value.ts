import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { readJson } from "./lenient-json.ts";

/** What the text of an untyped parameter means, by the JSON Schema of that parameter. */
export function typedValue(raw: string, schema: JsonValue | undefined, root?: JsonObject): JsonValue {
  const types = typesOf(schema, root, 0);
  return types.size === 0 ? raw : valueByType(raw, types);
}

/** What the text means where no schema tells: JSON if it is JSON, else the text itself. */
export function guessedValue(raw: string): JsonValue {
  try {
    return JSON.parse(raw.trim());
  } catch {
    return raw;
  }
}

function valueByType(raw: string, types: ReadonlySet<string>): JsonValue {
  const text = raw.trim();
  if (types.has("null") && /^(null|none|nil)$/i.test(text)) return null;
  if ((types.has("integer") || types.has("number")) && /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i.test(text)) {
    const number = Number(text);
    if (Number.isFinite(number) && (types.has("number") || Number.isInteger(number))) return number;
  }
  if (types.has("boolean")) {
    const word = text.toLowerCase();
    if (word === "true" || word === "false") return word === "true";
    if (types.size === 1 && text !== "") return text === "1";
  }
  if (types.has("array") || types.has("object")) {
    const value = structure(text);
    if (Array.isArray(value) ? types.has("array") : types.has("object") && isJsonObject(value))
      return value ?? raw;
  }
  return raw;
}

/** An object or a list, also one that was escaped as if inside a string. */
function structure(text: string): JsonValue | undefined {
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined;
  const value = readJson(text);
  if (value !== undefined || !text.includes('\\"')) return value;
  try {
    const unescaped: unknown = JSON.parse(`"${text}"`);
    return typeof unescaped === "string" ? readJson(unescaped) : undefined;
  } catch {
    return undefined;
  }
}

/** The types that a schema allows; none when it does not say. */
function typesOf(schema: JsonValue | undefined, root: JsonObject | undefined, depth: number): Set<string> {
  const types = new Set<string>();
  if (!isJsonObject(schema) || depth > 8) return types;
  const { type } = schema;
  for (const name of Array.isArray(type) ? type : [type]) {
    if (typeof name === "string") types.add(standardName(name));
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    const parts = schema[key];
    if (!Array.isArray(parts)) continue;
    for (const part of parts) addAll(types, typesOf(part, root, depth + 1));
  }
  const reference = schema.$ref;
  if (typeof reference === "string") addAll(types, typesOf(resolve(reference, root), root, depth + 1));
  if (types.size === 0) addAll(types, typesOfValues(schema));
  return types;
}

function addAll(into: Set<string>, from: ReadonlySet<string>): void {
  for (const name of from) into.add(name);
}

function typesOfValues(schema: JsonObject): Set<string> {
  const listed = schema.enum;
  const values = Array.isArray(listed) ? listed : "const" in schema ? [schema.const] : [];
  const types = new Set<string>();
  for (const value of values) {
    if (value === null) types.add("null");
    else if (Array.isArray(value)) types.add("array");
    else types.add(typeof value);
  }
  if (isJsonObject(schema.properties)) types.add("object");
  if (schema.items !== undefined) types.add("array");
  return types;
}

function resolve(reference: string, root: JsonObject | undefined): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const step of reference.replace(/^#\//, "").split("/")) {
    at = isJsonObject(at) ? at[step] : undefined;
  }
  return at;
}

/** Names that schemas written for Python or SQL use. */
function standardName(name: string): string {
  switch (name.toLowerCase()) {
    case "int":
    case "long":
      return "integer";
    case "float":
    case "double":
      return "number";
    case "bool":
      return "boolean";
    case "str":
    case "text":
      return "string";
    case "list":
    case "tuple":
      return "array";
    case "dict":
    case "map":
      return "object";
    default:
      return name.toLowerCase();
  }
}
