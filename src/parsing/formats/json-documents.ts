import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { openBrace } from "../char-code.ts";
import { type Body, defineFormat } from "../format.ts";
import { readJsonExtent } from "../json-body.ts";
import { argumentKeys, readObjectCall } from "../json-call.ts";
import { readJson } from "../lenient-json.ts";
import { markerSet } from "../marker-set.ts";
import { skipSpace } from "../reader.ts";
import type { Scanner } from "../scanner.ts";

const noEnds = markerSet();

/** The whole answer is one object, as a grammar forces it: `response` for text, `tool_call` or `tool_calls`. */
const document: Body = function* (scanner) {
  const { source } = scanner;
  if ((yield* skipSpace(source)) !== openBrace) return false;
  const text = yield* readJsonExtent(source, noEnds);
  if (text === undefined) {
    if (!/"tool_calls?"/.test(source.range(0).slice(0, 64))) return false;
    scanner.incomplete();
    return true;
  }
  const value = readJson(text);
  if (!isJsonObject(value)) return false;
  const listed = value.tool_calls;
  const calls = Array.isArray(listed) ? listed : value.tool_call === undefined ? [] : [value.tool_call];
  for (const call of calls) reportCall(scanner, call);
  const response = value.response ?? value.content;
  if (calls.length === 0 && response === undefined) return false;
  if (response !== undefined)
    scanner.plain(typeof response === "string" ? response : JSON.stringify(response));
  scanner.settle();
  return true;
};

function reportCall(scanner: Scanner, value: JsonValue): void {
  const result = readObjectCall(value, { argumentsMayBeMissing: true, tools: scanner.tools });
  if ("call" in result) scanner.call(result.call.name, result.call.arguments, result.call.id);
  else scanner.malformed(result.problem, result.name);
}

export const genericJson = defineFormat({ name: "generic-json", calls: [], start: document });

/** The first object of the text is the arguments, or holds them: for prompts that leave nothing else to write. */
const firstArguments: Body = function* (scanner) {
  const { source } = scanner;
  source.pos--;
  if (scanner.calls > 0 || source.offset < scanner.unmarkedFloor) return false;
  const text = yield* readJsonExtent(source, noEnds);
  const value = text === undefined ? undefined : strictJson(text);
  if (!isJsonObject(value)) {
    scanner.unmarkedFloor = source.offset;
    return false;
  }
  const result = readObjectCall(value, {
    argumentsMayBeMissing: true,
    nameAsKey: true,
    tools: scanner.tools,
  });
  const named = "call" in result && (hasArguments(value) || Object.keys(value).length === 1);
  if (named && "call" in result) scanner.call(result.call.name, result.call.arguments);
  else scanner.call("", value);
  return true;
};

function hasArguments(value: JsonObject): boolean {
  return [...argumentKeys, "function"].some((key) => Object.hasOwn(value, key));
}

function strictJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const argsExtraction = defineFormat({
  name: "args-extraction",
  calls: [{ text: "{", body: firstArguments }],
});
