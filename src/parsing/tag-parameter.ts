import type { JsonObject, JsonValue } from "../model/json.ts";
import { markerSet } from "./marker-set.ts";
import { accept, markerHere, type Reading, readUntil, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";
import type { TagGrammar, TagReader } from "./tag-grammar.ts";
import { readHeader, type TagHeader } from "./tag-header.ts";
import { guessedValue, typedValue } from "./typed-value.ts";

export type Parameter = { readonly name: string; readonly value: JsonValue };

/** The tool whose parameters are read, and those that were begun. */
export type Place = { readonly tool: string; readonly given: Set<string> };

/** Reads a parameter after its opening tag began. `empty`: it has no value; `cut`: the input ended inside. */
export function* readParameter(
  scanner: Scanner,
  reader: TagReader,
  place: Place,
): Reading<Parameter | "empty" | "cut" | undefined> {
  const header = yield* readHeader(scanner, reader, reader.parameterNameEnds);
  if (!header || header === "cut") return header;
  return yield* readParameterValue(scanner, reader, place, header);
}

/** Reads what follows a parameter's name. */
export function* readParameterValue(
  scanner: Scanner,
  reader: TagReader,
  { tool, given }: Place,
  header: TagHeader,
): Reading<Parameter | "empty" | "cut"> {
  const { source, tools } = scanner;
  const { grammar } = reader;
  if (grammar.parameter.valueOpen) {
    yield* skipSpace(source);
    if (yield* skipEscapedBreaks(scanner)) yield* skipSpace(source);
    const marker = yield* markerHere(source, reader.callOrEnd);
    if (marker !== undefined) return "empty";
    yield* accept(source, grammar.parameter.valueOpen);
  }
  given.add(header.name);
  const raw = yield* readValue(scanner, reader, (name) => mayFollow(scanner, tool, name, given));
  if (raw === undefined) return "cut";
  const properties = tools.propertiesOf(tool);
  const schema = properties?.[header.name];
  const anything = properties === undefined && tools.declares(tool);
  const untyped = anything ? "json" : grammar.untyped;
  const value = meaning(raw, { ...grammar, untyped }, header, { schema, root: tools.schemaOf(tool) });
  return { name: header.name, value };
}

/** Two characters, a backslash and an n, where a line break was meant. */
function* skipEscapedBreaks(scanner: Scanner): Reading<boolean> {
  const found = yield* markerHere(scanner.source, escapedBreak);
  if (found) scanner.source.pos += found.length;
  return found !== undefined;
}

const escapedBreak = markerSet(["\\n"]);

/** Whether a parameter tag inside a value means that the value's end was forgotten. */
function mayFollow(scanner: Scanner, tool: string, name: string, given: ReadonlySet<string>): boolean {
  const properties = scanner.tools.propertiesOf(tool);
  return !given.has(name) && (properties === undefined || Object.hasOwn(properties, name));
}

/**
 * Reads a value up to its end tag: one after which the call goes on or ends, for a value may well hold the text of
 * an end tag. Where it is missing, the next parameter ends the value, or else the end of the call, when another call
 * or nothing follows before a proper end. Undefined: the input ended first.
 */
function* readValue(
  scanner: Scanner,
  reader: TagReader,
  mayFollow: (name: string) => boolean,
): Reading<string | undefined> {
  const { source } = scanner;
  const { grammar } = reader;
  let value = "";
  let fallback: { readonly value: string; readonly offset: number } | undefined;
  for (;;) {
    const read = yield* readUntil(source, reader.valueMarkers);
    value += read.text;
    const { marker } = read;
    const at = source.offset;
    if (marker === undefined) break;
    source.pos += marker.length;
    if (grammar.parameter.close.includes(marker)) {
      yield* skipSpace(source);
      if (yield* skipEscapedBreaks(scanner)) yield* skipSpace(source);
      const next = yield* markerHere(source, reader.callOrEnd);
      if (next !== undefined || (source.ended && source.exhausted)) return value;
      source.rewind(at + marker.length);
    } else if (grammar.parameter.open.includes(marker)) {
      const header = yield* readHeader(scanner, reader, reader.parameterNameEnds);
      source.rewind(header && header !== "cut" && mayFollow(header.name) ? at : at + marker.length);
      if (source.offset === at) return value;
    } else if (isEnd(grammar, marker)) {
      fallback ??= { value, offset: at };
    } else if (fallback) break;
    value += marker;
  }
  if (!fallback) return undefined;
  source.rewind(fallback.offset);
  return fallback.value;
}

function isEnd(grammar: TagGrammar, marker: string): boolean {
  return grammar.call.close.includes(marker) || grammar.section?.close.includes(marker) === true;
}

/** What a value is: by its schema, else by its tag's attribute, else as the grammar has it. */
function meaning(
  written: string,
  grammar: TagGrammar,
  header: TagHeader,
  { schema, root }: { readonly schema: JsonValue | undefined; readonly root: JsonObject | undefined },
): JsonValue {
  let raw = grammar.trimsLine ? written.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : written;
  if (grammar.cdata) raw = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(raw)?.[1] ?? raw;
  if (schema !== undefined) return typedValue(raw, schema, root);
  const { stringAttribute } = grammar;
  const attribute = stringAttribute?.pattern.exec(header.attributes)?.[1];
  if (attribute !== undefined) return attribute === stringAttribute?.yes ? raw : guessedValue(raw);
  return grammar.untyped === "json" ? guessedValue(raw) : raw;
}
