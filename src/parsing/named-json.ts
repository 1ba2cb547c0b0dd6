import { isJsonObject } from "../model/json.ts";
import { endOfInput, openBrace } from "./char-code.ts";
import { readJsonExtent, skipClosers } from "./json-body.ts";
import { readJson } from "./lenient-json.ts";
import type { MarkerSet } from "./marker-set.ts";
import { acceptAfterSpace, type Reading, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";

export type NamedJson = {
  readonly name: string;
  readonly id?: string;
  readonly ends: MarkerSet<string>;
  readonly stops?: MarkerSet<string>;
};

/**
 * Reads the arguments object of a call whose name stood before it, and reports the call. False when no object
 * follows; nothing is reported then.
 */
export function* readNamedJson(scanner: Scanner, call: NamedJson): Reading<boolean> {
  const { source } = scanner;
  const code = yield* skipSpace(source);
  if (code === endOfInput) {
    scanner.incomplete(call.name);
    return true;
  }
  if (code !== openBrace) return false;
  if (call.name !== "") scanner.begin(call.name);
  const text = yield* readJsonExtent(source, call.ends, call.stops);
  if (text === undefined) {
    scanner.incomplete(call.name);
    return true;
  }
  const args = readJson(text);
  if (isJsonObject(args)) {
    scanner.call(call.name, args, call.id);
    yield* skipClosers(scanner);
  } else {
    yield* acceptAfterSpace(source, call.ends);
    scanner.malformed("not_readable", call.name);
  }
  return true;
}
