import { type Body, defineFormat } from "../format.ts";
import { markerSet } from "../marker-set.ts";
import { readNamedJson } from "../named-json.ts";
import { acceptAfterSpace, readUntil } from "../reader.ts";

const lineEnd = markerSet(["\n"]);
const next = markerSet([">>>"]);

/** `>>>name`, a line break and the arguments; `all` addresses the user, `python` is followed by code as it is. */
const recipient: Body = function* (scanner) {
  const { source } = scanner;
  const read = yield* readUntil(source, lineEnd, 128);
  const name = read.text.trim();
  if (read.marker === undefined || !/^[\w.-]+$/.test(name)) return false;
  source.pos++;
  if (name === "all") {
    scanner.settle();
    return true;
  }
  if (!(yield* readNamedJson(scanner, { name, ends: next, stops: next }))) {
    if (name !== "python") return false;
    const code = yield* readUntil(source, next);
    scanner.call(name, { code: code.text });
  }
  yield* acceptAfterSpace(source, lineEnd);
  return true;
};

const start: Body = function* (scanner, marker) {
  yield* acceptAfterSpace(scanner.source, next);
  return yield* recipient(scanner, marker);
};

export const functionary32 = defineFormat({
  name: "functionary-v32",
  calls: [{ text: ">>>", body: recipient }],
  start,
});
