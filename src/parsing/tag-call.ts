import { isJsonObject, type JsonObject } from "../model/json.ts";
import { openBrace } from "./char-code.ts";
import { balancedExtent } from "./json-extent.ts";
import { readJson } from "./lenient-json.ts";
import { markerHere, type Reading, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";
import type { TagGrammar, TagReader } from "./tag-grammar.ts";
import { readBareName, readHeader } from "./tag-header.ts";
import { type Parameter, readParameter, readParameterValue } from "./tag-parameter.ts";

/**
 * Reads one call after its opening tag. `reported`: as a call, as malformed or as cut by the end of the input.
 */
export function* readTagCall(scanner: Scanner, reader: TagReader): Reading<"reported" | "not_a_call"> {
  const { source } = scanner;
  const { grammar } = reader;
  const header = grammar.bareNames
    ? yield* readBareName(scanner, reader)
    : yield* readHeader(scanner, reader, reader.nameEnds);
  if (header === "cut") {
    scanner.incomplete();
    return "reported";
  }
  if (!header) return "not_a_call";
  const merged = grammar.bareNames && grammar.parameter.nameEnd.includes(header.end);
  const split = merged ? splitName(scanner, header.name) : undefined;
  if (merged && !split) return "not_a_call";
  const name = split?.name ?? grammar.toolName?.(header.name, scanner) ?? header.name;
  scanner.begin(name);
  const parameters: Parameter[] = [];
  const given = new Set<string>();
  if (split) {
    const first = { ...header, name: split.key };
    const parameter = yield* readParameterValue(scanner, reader, { tool: name, given }, first);
    if (parameter === "cut") {
      scanner.incomplete(name);
      return "reported";
    }
    if (parameter !== "empty") parameters.push(parameter);
  }
  let whole: JsonObject | undefined;
  for (let open = !header.selfClosed; open; ) {
    const code = yield* skipSpace(source);
    const marker = yield* markerHere(source, reader.callOrEnd);
    if (marker === undefined) {
      if (code === openBrace && parameters.length === 0 && !whole) {
        whole = yield* readArguments(scanner);
        if (whole) continue;
      }
      if (!source.exhausted || !source.ended) return "not_a_call";
      scanner.incomplete(name);
      return "reported";
    }
    if (grammar.parameter.open.includes(marker)) {
      source.pos += marker.length;
      const parameter = yield* readParameter(scanner, reader, { tool: name, given });
      if (parameter === "cut") {
        scanner.incomplete(name);
        return "reported";
      }
      if (!parameter) return "not_a_call";
      if (parameter !== "empty") parameters.push(parameter);
    } else {
      open = false;
      if (grammar.call.close.includes(marker)) source.pos += marker.length;
      else if (grammar.bareNames && parameters.length === 0 && !whole) return "not_a_call";
    }
  }
  finish(scanner, grammar, name, whole ?? argumentsFrom(scanner, grammar, name, parameters), parameters);
  return "reported";
}

function finish(
  scanner: Scanner,
  grammar: TagGrammar,
  name: string,
  args: JsonObject,
  parameters: readonly Parameter[],
): void {
  if (name === "") scanner.malformed("no_name");
  else if (grammar.strictParameters && !fitsTool(scanner, name, args, parameters)) {
    scanner.malformed("bad_parameters", name);
  } else scanner.call(name, args);
}

/** A tool's name and the key of its first parameter, run together because the tag between them was forgotten. */
function splitName(
  scanner: Scanner,
  text: string,
): { readonly name: string; readonly key: string } | undefined {
  for (const name of scanner.tools.names()) {
    const key = text.slice(name.length).trim();
    const properties = scanner.tools.propertiesOf(name);
    if (text.startsWith(name) && properties && Object.hasOwn(properties, key)) return { name, key };
  }
  return undefined;
}

function argumentsFrom(
  scanner: Scanner,
  grammar: TagGrammar,
  tool: string,
  parameters: readonly Parameter[],
): JsonObject {
  const [only] = parameters;
  if (grammar.wrapper && only?.name === grammar.wrapper && parameters.length === 1) {
    const properties = scanner.tools.propertiesOf(tool);
    const inner = typeof only.value === "string" ? readJson(only.value) : only.value;
    if (properties && !Object.hasOwn(properties, only.name) && isJsonObject(inner)) {
      if (Object.keys(inner).every((key) => Object.hasOwn(properties, key))) return inner;
    }
  }
  return Object.fromEntries(parameters.map(({ name, value }) => [name, value]));
}

function fitsTool(
  scanner: Scanner,
  tool: string,
  args: JsonObject,
  parameters: readonly Parameter[],
): boolean {
  const properties = scanner.tools.propertiesOf(tool);
  if (new Set(parameters.map((parameter) => parameter.name)).size < parameters.length) return false;
  return properties === undefined || Object.keys(args).every((key) => Object.hasOwn(properties, key));
}

/** The arguments as one JSON object in place of tags. */
function* readArguments(scanner: Scanner): Reading<JsonObject | undefined> {
  const extent = yield* balancedExtent(scanner.source);
  const value = extent.complete ? readJson(extent.text) : undefined;
  return isJsonObject(value) ? value : undefined;
}
