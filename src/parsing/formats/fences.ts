import { lessThan, openBrace, openBracket } from "../char-code.ts";
import type { Body, CallMarker } from "../format.ts";
import { jsonBody } from "../json-body.ts";
import { markerSet } from "../marker-set.ts";
import { accept, acceptAfterSpace, markerHere, type Reading, skipSpace } from "../reader.ts";
import type { Scanner } from "../scanner.ts";
import { readUnmarkedJson, unmarkedJson } from "../unmarked-json.ts";

const fenceEnd = markerSet(["```"]);
const fencedJson = jsonBody({ ends: ["```"] });

/** Tags that models put around a call although no format asks for them. */
const wrapperNames = ["tool", "tools", "response", "json", "JSON", "xml", "function_call"];
const wrappers = markerSet(
  wrapperNames.map((name) => `<${name}>`),
  ["<tool_call>"],
);
const wrapperEnds = markerSet(
  wrapperNames.map((name) => `</${name}>`),
  ["</tool_call>"],
);

/** The fence's own line break goes with it. */
const markedFence: Body = function* (scanner, marker) {
  if (!(yield* fencedJson(scanner, marker))) return false;
  yield* accept(scanner.source, "\n");
  return true;
};

/** JSON in a fence for JSON, or in none in particular: judged as if it were unmarked. */
const unmarkedFence: Body = function* (scanner) {
  const { calls } = scanner;
  if (!(yield* readWrapped(scanner, { nested: true }))) return false;
  if (scanner.calls > calls && (yield* acceptAfterSpace(scanner.source, fenceEnd))) {
    yield* accept(scanner.source, "\n");
  }
  return true;
};

const wrapped: Body = function* (scanner) {
  return yield* readWrapped(scanner, { nested: false });
};

/** Reads unmarked JSON with its wrapper's end. False when it is no call: then nothing was let out. */
function* readWrapped(scanner: Scanner, { nested }: { readonly nested: boolean }): Reading<boolean> {
  const { source } = scanner;
  let code = yield* skipSpace(source);
  if (nested && code === lessThan) {
    const wrapper = yield* markerHere(source, wrappers);
    if (wrapper === undefined) return false;
    source.pos += wrapper.length;
    code = yield* skipSpace(source);
  }
  if (code !== openBrace && code !== openBracket) return false;
  const { calls } = scanner;
  if ((yield* readUnmarkedJson(scanner)) === "not_json") return false;
  if (scanner.calls > calls) yield* acceptAfterSpace(source, wrapperEnds);
  return true;
}

/** Our own format: a fence that says what it holds. */
export const toolCallFence: CallMarker = { text: "```tool_call", body: markedFence };

export const jsonFences: readonly CallMarker[] = [
  "```json\n",
  "```json ",
  "```\n",
  "```xml\n",
  "```tool_code\n",
].map((text) => ({ text, body: unmarkedFence, unmarked: true }));

export const wrapperTags: readonly CallMarker[] = wrapperNames.map((name) => ({
  text: `<${name}>`,
  body: wrapped,
  unmarked: true,
}));

/** Every way for JSON that may be a call to begin. Other characters after the bracket are no JSON. */
export const bareObjects: readonly CallMarker[] = ['{"', "{ ", "{\n", "{\r", "{\t"].map((text) => ({
  text,
  body: unmarkedJson,
  unmarked: true,
}));

export const bareLists: readonly CallMarker[] = ["[{", "[ {", "[\n"].map((text) => ({
  text,
  body: unmarkedJson,
  unmarked: true,
}));
