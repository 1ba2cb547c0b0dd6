import { endOfInput } from "../char-code.ts";
import { type Body, defineFormat } from "../format.ts";
import { markerSet } from "../marker-set.ts";
import { readNamedJson } from "../named-json.ts";
import {
  accept,
  acceptAfterSpace,
  markerHere,
  type Reading,
  readName,
  readUntil,
  skipSpace,
} from "../reader.ts";
import type { Scanner } from "../scanner.ts";
import { thinkTags } from "./thinking-styles.ts";

/** The marks as the tokenizer spells them, and as models retype them. */
function spellings(name: string): string[] {
  return ["▁", "_", " "].flatMap((gap) => {
    const words = name.replaceAll(" ", gap);
    return [`<｜${words}｜>`, `<|${words}|>`];
  });
}

const sectionBegins = [...spellings("tool calls begin"), ...spellings("tool calls")];
const callBegins = spellings("tool call begin");
const callEnds = spellings("tool call end");
const sectionEnds = spellings("tool calls end");

const callBegin = markerSet(callBegins);
const callEnd = markerSet(callEnds);
const sectionEnd = markerSet(sectionEnds);
const separator = markerSet(spellings("tool sep"));
const fence = markerSet(["```json", "```"]);
const fenceEnd = markerSet(["```"]);
const jsonEnds = markerSet(callEnds, sectionEnds);
const foreign = markerSet(["<steptml:"]);

/** V3 writes `function<sep>name`, a line break and fenced JSON; V3.1 writes `name<sep>` and JSON. */
const calls: Body = function* (scanner) {
  const { source } = scanner;
  for (let count = 0; ; count++) {
    const before = source.offset;
    yield* skipSpace(source);
    const begin = yield* markerHere(source, callBegin);
    if (begin !== undefined) source.pos += begin.length;
    else if (count > 0) {
      source.rewind(before);
      yield* acceptAfterSpace(source, sectionEnd);
      return true;
    }
    if ((yield* markerHere(source, foreign)) !== undefined) return true;
    if (!(yield* readCall(scanner))) {
      if (count > 0) scanner.putBack();
      return count > 0;
    }
  }
};

function* readCall(scanner: Scanner): Reading<boolean> {
  const { source } = scanner;
  yield* skipSpace(source);
  let name = yield* readName(source);
  if ((yield* skipSpace(source)) === endOfInput) {
    scanner.incomplete();
    return true;
  }
  if ((yield* acceptAfterSpace(source, separator)) === undefined) {
    return name === "" && (yield* markerHere(source, sectionEnd)) !== undefined;
  }
  if (name === "function") {
    yield* skipSpace(source);
    name = yield* readName(source);
  }
  yield* acceptAfterSpace(source, fence);
  if (!(yield* readNamedJson(scanner, { name, ends: jsonEnds }))) return false;
  yield* acceptAfterSpace(source, fenceEnd);
  yield* acceptAfterSpace(source, callEnd);
  return true;
}

/** Results that the model made up itself. */
const outputs: Body = function* (scanner) {
  const read = yield* readUntil(scanner.source, outputsEnd);
  if (read.marker !== undefined) yield* accept(scanner.source, read.marker);
  return true;
};
const outputsEnd = markerSet(spellings("tool outputs end"));

export const deepseekCalls = [
  ...[...sectionBegins, ...callBegins].map((text) => ({ text, body: calls })),
  ...spellings("tool outputs begin").map((text) => ({ text, body: outputs })),
];

export const deepseekDropped = ["tool output begin", "tool output end", "end of sentence"].flatMap(spellings);

const common = {
  calls: deepseekCalls,
  sections: sectionEnds,
  dropped: deepseekDropped,
  malformed: "dropped",
} as const;

export const deepseekV3 = defineFormat({
  ...common,
  name: "deepseek-v3",
  thinking: { ...thinkTags, repeatedOpener: "text" },
});
export const deepseekV31 = defineFormat({ ...common, name: "deepseek-v31", thinking: thinkTags });
