import { isJsonObject } from "../../model/json.ts";
import { endOfInput, openBrace } from "../char-code.ts";
import { type Body, defineFormat } from "../format.ts";
import { readJsonExtent } from "../json-body.ts";
import { readJson } from "../lenient-json.ts";
import { markerSet } from "../marker-set.ts";
import { acceptAfterSpace, markerHere, type Reading, readUntil, skipSpace } from "../reader.ts";
import type { Scanner } from "../scanner.ts";
import { interleavedThinkTags } from "./thinking-styles.ts";

const headerLimit = 256;
const sectionBegins = ["<|tool_calls_section_begin|>", "<|tool_call_section_begin|>"];
const sectionEnds = ["<|tool_calls_section_end|>", "<|tool_call_section_end|>"];
const callBegin = "<|tool_call_begin|>";
const argumentBegin = "<|tool_call_argument_begin|>";
const callEnd = "<|tool_call_end|>";

const inSection = markerSet([callBegin], sectionEnds, sectionBegins);
const headerEnds = markerSet([argumentBegin, callEnd, callBegin], sectionEnds);
const callEnds = markerSet([callEnd]);
const jsonEnds = markerSet([callEnd], sectionEnds);

/** `functions.name:0` is the call's id, from which its name is read. Stray text between the marks is dropped. */
const section: Body = function* (scanner, marker) {
  const { source } = scanner;
  if (marker === callBegin) source.pos -= marker.length;
  for (;;) {
    const read = yield* readUntil(source, inSection);
    if (read.marker === undefined) {
      if (read.text.trim() !== "") scanner.incomplete();
      return true;
    }
    source.pos += read.marker.length;
    if (read.marker !== callBegin) return true;
    yield* readCall(scanner);
    if (marker === callBegin) return true;
  }
};

function* readCall(scanner: Scanner): Reading<void> {
  const { source } = scanner;
  const header = yield* readUntil(source, headerEnds, headerLimit);
  if (header.marker === undefined && !header.tooLong) {
    scanner.incomplete();
    return;
  }
  if (header.marker !== argumentBegin) {
    scanner.malformed("not_readable");
    return;
  }
  source.pos += header.marker.length;
  const id = header.text.trim();
  const written = id.replace(/^functions\./, "").replace(/:\d+$/, "");
  const isNumber = /^\d*$/.test(written);
  if (!isNumber) scanner.begin(written);
  const code = yield* skipSpace(source);
  const text = code === openBrace ? yield* readJsonExtent(source, jsonEnds) : "";
  if (text === undefined || code === endOfInput) {
    scanner.incomplete();
    return;
  }
  const args = text === "" && (yield* markerHere(source, callEnds)) ? {} : readJson(text);
  const name = isNumber && isJsonObject(args) ? scanner.tools.fitting(args) : written;
  if (isJsonObject(args) && name !== undefined) scanner.call(name, args, id);
  else scanner.malformed(name === undefined ? "no_name" : "not_readable");
  yield* acceptAfterSpace(source, callEnds);
}

export const kimiK2Calls = [...sectionBegins, callBegin].map((text) => ({ text, body: section }));

export const kimiK2 = defineFormat({
  name: "kimi-k2",
  calls: kimiK2Calls,
  sections: sectionEnds,
  dropped: ["<|im_end|>"],
  thinking: { ...interleavedThinkTags, calls: "inside" },
  undeclared: "text",
  malformed: "dropped",
});
