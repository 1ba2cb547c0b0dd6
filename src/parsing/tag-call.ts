import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { balancedExtent } from "./json-extent.ts";
import { readJson } from "./lenient-json.ts";
import { type MarkerSet, markerSet } from "./marker-set.ts";
import { accept, markerHere, type Reading, readUntil, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";
import { guessedValue, typedValue } from "./typed-value.ts";

const headerLimit = 256;

/** How a call with one tag a parameter is written. `open` and `parameter` end where the name begins. */
export type TagGrammar = {
  /** Around one or more calls. */
  readonly section?: { readonly open: readonly string[]; readonly close: readonly string[] };
  readonly call: {
    readonly open: readonly string[];
    readonly nameEnd: readonly string[];
    readonly close: readonly string[];
  };
  readonly parameter: {
    readonly open: readonly string[];
    readonly nameEnd: readonly string[];
    /** Between a name and its value; often forgotten. */
    readonly valueOpen?: string;
    readonly close: readonly string[];
  };
  /** Names stand in quotes, and attributes may follow them. */
  readonly quotedNames?: true;
  /** Names stand bare between tags, so that only what looks like a name is one. */
  readonly bareNames?: true;
  /** Names are escaped as in XML. */
  readonly entities?: true;
  /** One line break at each side of a value is not part of it. */
  readonly trimsLine?: true;
  /** What a value is where neither a schema nor an attribute tells. */
  readonly untyped: "string" | "json";
  /** An attribute that gives the type: its value says whether the text is a string. */
  readonly stringAttribute?: { readonly name: string; readonly yes: string };
  readonly cdata?: true;
  /** Parameters that the tool does not declare, or that are given twice, spoil the call. */
  readonly strictParameters?: true;
  /** Under this name some models put the whole arguments object. */
  readonly wrapper?: string;
  /** Turns a name as written into the tool's. */
  readonly toolName?: (written: string, scanner: Scanner) => string;
};

/** A grammar with its markers compiled. */
export type TagReader = {
  readonly grammar: TagGrammar;
  readonly calls: MarkerSet<string>;
  readonly sectionEnds: MarkerSet<string>;
  readonly nameEnds: MarkerSet<string>;
  readonly parameterNameEnds: MarkerSet<string>;
  readonly callOrEnd: MarkerSet<string>;
  readonly valueMarkers: MarkerSet<string>;
  readonly afterValue: MarkerSet<string>;
};

export function compileTags(grammar: TagGrammar): TagReader {
  const { call, parameter } = grammar;
  const section = grammar.section ?? { open: [], close: [] };
  const bounds = [...parameter.open, ...call.close, ...section.close, ...call.open, ...section.open];
  return {
    grammar,
    calls: markerSet(call.open),
    sectionEnds: markerSet(section.close),
    nameEnds: markerSet(
      call.nameEnd,
      grammar.quotedNames ? [] : ["\n", ...call.close, ...parameter.open],
      grammar.bareNames ? parameter.nameEnd : [],
    ),
    parameterNameEnds: markerSet(parameter.nameEnd, grammar.quotedNames ? [] : ["\n"]),
    callOrEnd: markerSet(bounds),
    valueMarkers: markerSet(parameter.close, bounds),
    afterValue: markerSet(bounds),
  };
}

type Parameter = { readonly name: string; readonly value: JsonValue };
/** The tool whose parameters are read, and those that were begun. */
type Place = { readonly tool: string; readonly given: Set<string> };
type Header = {
  readonly name: string;
  readonly attributes: string;
  readonly selfClosed: boolean;
  readonly end: string;
};

/**
 * Reads one call after its opening tag. `reported`: as a call, as malformed or as cut by the end of the input.
 */
export function* readTagCall(scanner: Scanner, reader: TagReader): Reading<"reported" | "not_a_call"> {
  const { source } = scanner;
  const { grammar } = reader;
  const header = yield* readHeader(scanner, reader, reader.nameEnds);
  if (header === "cut") {
    scanner.incomplete();
    return "reported";
  }
  if (!header) return "not_a_call";
  const merged = grammar.bareNames && grammar.parameter.nameEnd.includes(header.end);
  const split = merged ? splitName(scanner, header.name) : undefined;
  if (grammar.bareNames && !split && (merged || !looksLikeName(scanner, header.name))) return "not_a_call";
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
      if (code === 0x7b && parameters.length === 0 && !whole) {
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

/** Reads the rest of an opening tag: the name and, in quoted grammars, attributes. */
function* readHeader(
  scanner: Scanner,
  reader: TagReader,
  ends: MarkerSet<string>,
): Reading<Header | "cut" | undefined> {
  const { source } = scanner;
  const quoted = reader.grammar.quotedNames === true;
  let name = "";
  if (quoted) {
    const read = yield* readUntil(source, quoteEnd, headerLimit);
    if (read.marker === undefined) return read.tooLong ? undefined : "cut";
    name = read.text;
    source.pos++;
  }
  const rest = yield* readUntil(source, ends, headerLimit);
  if (rest.marker === undefined) return rest.tooLong ? undefined : "cut";
  const consumed = reader.grammar.call.nameEnd.includes(rest.marker) || rest.marker === "\n" || quoted;
  if (consumed || reader.grammar.parameter.nameEnd.includes(rest.marker)) source.pos += rest.marker.length;
  const attributes = rest.text;
  if (!quoted) name = attributes;
  const selfClosed = quoted && attributes.trimEnd().endsWith("/");
  const cleaned = clean(name);
  return {
    name: reader.grammar.entities ? withoutEntities(cleaned) : cleaned,
    attributes,
    selfClosed,
    end: rest.marker,
  };
}

function withoutEntities(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? "");
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

function looksLikeName(scanner: Scanner, name: string): boolean {
  return /^[\p{L}\p{N}_.:/-]+$/u.test(name) || scanner.tools.declares(name);
}

const quoteEnd = markerSet(['"']);

/** Without line breaks that were escaped once too often. */
function clean(name: string): string {
  return name.replace(/(\\n)+$/, "").trim();
}

function* readParameter(
  scanner: Scanner,
  reader: TagReader,
  place: Place,
): Reading<Parameter | "empty" | "cut" | undefined> {
  const header = yield* readHeader(scanner, reader, reader.parameterNameEnds);
  if (!header || header === "cut") return header;
  return yield* readParameterValue(scanner, reader, place, header);
}

function* readParameterValue(
  scanner: Scanner,
  reader: TagReader,
  { tool, given }: Place,
  header: Header,
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
  const value = meaning(
    raw,
    anything ? { ...grammar, untyped: "json" } : grammar,
    header,
    schema,
    tools.schemaOf(tool),
  );
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
      const next = yield* markerHere(source, reader.afterValue);
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

function meaning(
  written: string,
  grammar: TagGrammar,
  header: Header,
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
): JsonValue {
  let raw = grammar.trimsLine ? written.replace(/^\r?\n/, "").replace(/\r?\n$/, "") : written;
  if (grammar.cdata) raw = /^\s*<!\[CDATA\[([\s\S]*)\]\]>\s*$/.exec(raw)?.[1] ?? raw;
  if (schema !== undefined) return typedValue(raw, schema, root);
  const { stringAttribute } = grammar;
  const attribute = stringAttribute
    ? new RegExp(`\\b${stringAttribute.name}\\s*=\\s*"([^"]*)"`).exec(header.attributes)?.[1]
    : undefined;
  if (attribute !== undefined) return attribute === stringAttribute?.yes ? raw : guessedValue(raw);
  return grammar.untyped === "json" ? guessedValue(raw) : raw;
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
