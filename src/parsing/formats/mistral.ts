import { isJsonObject, type JsonValue } from "../../model/json.ts";
import { endOfInput, openBrace, openBracket } from "../char-code.ts";
import { type Body, defineFormat, type ThinkingStyle } from "../format.ts";
import { jsonBody, readJsonExtent } from "../json-body.ts";
import { readObjectCall } from "../json-call.ts";
import { readJson } from "../lenient-json.ts";
import { markerSet } from "../marker-set.ts";
import { readNamedJson } from "../named-json.ts";
import { accept, markerHere, type Reading, readName, readUntil, skipSpace } from "../reader.ts";
import type { Scanner } from "../scanner.ts";

const idLimit = 128;
const opener = "[TOOL_CALLS]";
const stops = markerSet([opener]);
const noEnds = markerSet();
const nameEnds = markerSet(["[ARGS]", "[CALL_ID]", "{"]);
const idEnds = markerSet(["[ARGS]", "{", opener]);
const list = jsonBody({ accepts: "list", stops: [opener] });

/** A list of objects in older models; in newer ones a name, `[ARGS]` and the arguments, without an end. */
const calls: Body = function* (scanner, marker) {
  const { source } = scanner;
  const code = yield* skipSpace(source);
  if (code === endOfInput) {
    scanner.incomplete();
    return true;
  }
  if (yield* accept(source, "[ARGS]"))
    return yield* readNamedJson(scanner, { name: "", ends: noEnds, stops });
  if (code === openBracket) return yield* list(scanner, marker);
  if (code === openBrace) return yield* readObject(scanner);
  const name = yield* readName(source);
  const next = yield* skipSpace(source);
  if (name !== "" && next === endOfInput) {
    scanner.incomplete(name);
    return true;
  }
  if (name === "" || (yield* markerHere(source, nameEnds)) === undefined) return false;
  let id: string | undefined;
  if (yield* accept(source, "[CALL_ID]")) {
    const written = yield* readUntil(source, idEnds, idLimit);
    if (written.tooLong) return false;
    id = written.text.trim();
  }
  yield* accept(source, "[ARGS]");
  return yield* readNamedJson(scanner, { name, ends: noEnds, stops, ...(id ? { id } : {}) });
};

/** An object right after the mark: a call, or arguments whose name the model wrote before it. */
function* readObject(scanner: Scanner): Reading<boolean> {
  const text = yield* readJsonExtent(scanner.source, noEnds, stops);
  if (text === undefined) {
    scanner.incomplete();
    return true;
  }
  const value: JsonValue = readJson(text) ?? null;
  const result = readObjectCall(value, { argumentsMayBeMissing: false, tools: scanner.tools });
  if ("call" in result) scanner.call(result.call.name, result.call.arguments, result.call.id);
  else if (isJsonObject(value)) scanner.call("", value);
  else scanner.malformed("not_readable");
  return true;
}

const thinking: ThinkingStyle = {
  open: ["[THINK]", "<think>"],
  close: ["[/THINK]", "</think>"],
  reopens: true,
  calls: "quoted",
  repeatedOpener: "dropped",
  secondCloser: "text",
};

export const mistralCalls = [{ text: opener, body: calls }];

export const mistral = defineFormat({ name: "mistral", calls: mistralCalls, dropped: ["</s>"], thinking });
