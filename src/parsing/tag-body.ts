import { endOfInput } from "./char-code.ts";
import type { Body } from "./format.ts";
import { acceptAfterSpace, markerHere, peek, type Reading, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";
import { readTagCall } from "./tag-call.ts";
import { compileTags, type TagGrammar, type TagReader } from "./tag-grammar.ts";

/** What follows the opening tag of a section: calls, up to the closing tag. */
export function tagSectionBody(grammar: TagGrammar): Body {
  const reader = compileTags(grammar);
  return function* (scanner) {
    return yield* readCalls(scanner, reader);
  };
}

/** What follows the opening tag of a call that stands without a section. */
export function tagCallBody(grammar: TagGrammar): Body {
  const reader = compileTags(grammar);
  return function* (scanner) {
    if ((yield* readTagCall(scanner, reader)) === "not_a_call") return false;
    if (yield* acceptAfterSpace(scanner.source, reader.sectionEnds)) scanner.settle();
    return true;
  };
}

function* readCalls(scanner: Scanner, reader: TagReader): Reading<boolean> {
  const { source } = scanner;
  const reported = scanner.calls;
  for (let calls = 0; ; calls++) {
    const before = source.offset;
    yield* skipSpace(source);
    const opener = yield* markerHere(source, reader.calls);
    if (opener === undefined) {
      const end = yield* markerHere(source, reader.sectionEnds);
      if (end !== undefined) {
        source.pos += end.length;
        const isText = calls > 0 && scanner.calls === reported && scanner.format.malformed === "text";
        if (isText) scanner.plain(end);
        return true;
      }
      if ((yield* peek(source)) === endOfInput) {
        if (calls === 0) scanner.incomplete();
        return true;
      }
      if (calls > 0) source.rewind(before);
      return calls > 0;
    }
    source.pos += opener.length;
    if ((yield* readTagCall(scanner, reader)) === "not_a_call") {
      if (calls === 0) return false;
      scanner.putBack();
      return true;
    }
  }
}
