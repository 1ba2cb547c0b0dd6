import {
  closeBrace,
  closeBracket,
  comma,
  endOfInput,
  openBrace,
  openBracket,
  semicolon,
} from "./char-code.ts";
import type { Body } from "./format.ts";
import { readObjectCall } from "./json-call.ts";
import { balancedExtent } from "./json-extent.ts";
import { readJson } from "./lenient-json.ts";
import { type MarkerSet, markerSet } from "./marker-set.ts";
import { acceptAfterSpace, markerHere, peek, type Reading, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";
import type { Source } from "./source.ts";

export type JsonBodyRules = {
  /** What may follow the JSON and belongs to it. The JSON ends by its own grammar, with or without it. */
  readonly ends?: readonly string[];
  readonly accepts?: "object" | "list";
  readonly argumentsRequired?: true;
  readonly nameAsKey?: true;
  /** What cannot be inside the JSON unless in a string. */
  readonly stops?: readonly string[];
};

type Compiled = Omit<JsonBodyRules, "ends" | "stops"> & {
  readonly ends: MarkerSet<string>;
  readonly stops: MarkerSet<string> | undefined;
};

/** Calls written as a JSON object, several of them, or a list. */
export function jsonBody(rules: JsonBodyRules = {}): Body {
  const compiled: Compiled = {
    ...rules,
    ends: markerSet(rules.ends ?? []),
    stops: rules.stops ? markerSet(rules.stops) : undefined,
  };
  return (scanner) => readJsonCalls(scanner, compiled);
}

function* readJsonCalls(scanner: Scanner, rules: Compiled): Reading<boolean> {
  const { source } = scanner;
  const code = yield* skipSpace(source);
  if (code === endOfInput) {
    scanner.incomplete();
    return true;
  }
  if (code === openBrace && rules.accepts !== "list") {
    if ((yield* readObjects(scanner, rules)) === "ended") return true;
  } else if (code === openBracket && rules.accepts !== "object") {
    if (!(yield* readList(scanner, rules))) return false;
  } else {
    const end = yield* markerHere(source, rules.ends);
    if (end === undefined) return false;
    source.pos += end.length;
    return true;
  }
  yield* acceptAfterSpace(source, rules.ends);
  return true;
}

/** `ended`: the end marker was read, too. */
function* readObjects(scanner: Scanner, rules: Compiled): Reading<"ended" | "open"> {
  const { source } = scanner;
  for (;;) {
    if ((yield* readObject(scanner, rules, { alone: true })) === "ended") return "ended";
    yield* skipClosers(scanner);
    const before = source.offset;
    let code = yield* skipSpace(source);
    if (code === semicolon || code === comma) {
      source.pos++;
      code = yield* skipSpace(source);
    }
    if (code !== openBrace) {
      source.rewind(before);
      return "open";
    }
  }
}

/** Reads a list of calls. False when it is none, and nothing was reported. */
function* readList(scanner: Scanner, rules: Compiled): Reading<boolean> {
  const { source } = scanner;
  let elements = 0;
  source.pos++;
  for (;;) {
    const code = yield* skipSpace(source);
    if (code === openBrace) {
      elements++;
      yield* readObject(scanner, rules, { alone: false });
    } else if (code === comma || code === openBracket) source.pos++;
    else if (code === closeBracket) {
      source.pos++;
      yield* skipClosers(scanner);
      return true;
    } else if (code === endOfInput) {
      if (elements === 0) scanner.incomplete();
      return true;
    } else return elements > 0;
  }
}

/** Models under pressure close more than they opened. */
export function* skipClosers(scanner: Scanner): Reading<void> {
  const { source } = scanner;
  for (;;) {
    const code = yield* peek(source);
    if (code !== closeBrace && code !== closeBracket) return;
    source.pos++;
  }
}

/** Reads one object and reports the call in it, or that there is none: then with the end marker, if it stands alone. */
function* readObject(
  scanner: Scanner,
  rules: Compiled,
  { alone }: { readonly alone: boolean },
): Reading<"ended" | "open"> {
  const { source } = scanner;
  const from = source.offset;
  const watch = (soFar: string) => {
    if (soFar.length <= watchLimit) beginEarly(scanner, soFar);
  };
  const text = yield* readJsonExtent(source, rules.ends, rules.stops, watch);
  if (text === undefined) {
    scanner.incomplete(nameIn(source.range(from)));
    return "ended";
  }
  const value = readJson(text);
  const result =
    value === undefined
      ? ({ problem: "not_readable", name: nameIn(text) } as const)
      : readObjectCall(value, {
          argumentsMayBeMissing: !rules.argumentsRequired,
          tools: scanner.tools,
          ...(rules.nameAsKey ? { nameAsKey: true } : {}),
        });
  if ("call" in result) {
    scanner.call(result.call.name, result.call.arguments, result.call.id);
    return "open";
  }
  const end = alone ? yield* acceptAfterSpace(source, rules.ends) : undefined;
  scanner.malformed(result.problem, result.name);
  return end === undefined ? "open" : "ended";
}

/**
 * Reads an object or a list to its end, or as far as it can be one. When the input ends inside, an end marker that
 * seemed to be in a string ends it after all; without one it is cut, and undefined.
 */
export function* readJsonExtent(
  source: Source,
  ends: MarkerSet<string>,
  stops?: MarkerSet<string>,
  watch?: (textSoFar: string) => void,
): Reading<string | undefined> {
  const from = source.offset;
  const { text, complete } = yield* balancedExtent(source, stops, watch);
  watch?.(text.slice(0, watchLimit));
  if (complete || !source.ended || !source.exhausted) return text;
  const cut = firstOf(text, ends.texts);
  if (cut < 0) return undefined;
  source.rewind(from + cut);
  return text.slice(0, cut);
}

function firstOf(text: string, markers: readonly string[]): number {
  let first = -1;
  for (const marker of markers) {
    const at = text.indexOf(marker);
    if (at >= 0 && (first < 0 || at < first)) first = at;
  }
  return first;
}

const leadingName = /^\{\s*"(?:name|tool|tool_name)"\s*:\s*"([^"\\]{1,128})"/;
const anyName = /"(?:name|tool|tool_name)"\s*:\s*"([^"\\]{1,128})"/;
const watchLimit = 400;

/** Where the name comes first, it is known long before the call is whole. */
function beginEarly(scanner: Scanner, text: string): void {
  if (scanner.hasBegun) return;
  const name = leadingName.exec(text)?.[1];
  if (name !== undefined) scanner.begin(name);
}

/** The name of a call that cannot be read, to tell which one it was. */
function nameIn(text: string): string | undefined {
  return anyName.exec(text.slice(0, 2000))?.[1];
}
