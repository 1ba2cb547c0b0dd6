import { endOfInput } from "./char-code.ts";
import { type MarkerSet, markerSet } from "./marker-set.ts";
import { accept, acceptAfterSpace, peek, type Reading, readName, readUntil, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";
import type { TagReader } from "./tag-grammar.ts";

const headerLimit = 256;
const quoteEnd = markerSet(['"']);

/** What an opening tag says. `end` is the marker that ended it. */
export type TagHeader = {
  readonly name: string;
  readonly attributes: string;
  readonly selfClosed: boolean;
  readonly end: string;
};

/**
 * Reads the rest of an opening tag: the name and, in quoted grammars, attributes. `cut`: the input ended inside.
 */
export function* readHeader(
  scanner: Scanner,
  reader: TagReader,
  ends: MarkerSet<string>,
): Reading<TagHeader | "cut" | undefined> {
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
  const { call, parameter } = reader.grammar;
  const belongs = [...call.nameEnd, ...parameter.nameEnd, "\n"].includes(rest.marker);
  if (belongs) source.pos += rest.marker.length;
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

/** Reads a tool's name that stands bare after the opening tag. Other words there are none. */
export function* readBareName(scanner: Scanner, reader: TagReader): Reading<TagHeader | "cut" | undefined> {
  const { source } = scanner;
  yield* skipSpace(source);
  const name = yield* readName(source);
  if ((yield* peek(source)) === endOfInput) return "cut";
  if (!/[\p{L}\p{N}_]$/u.test(name)) return undefined;
  yield* accept(source, "\\n");
  const end = yield* acceptAfterSpace(source, reader.bareNameEnds);
  return { name, attributes: "", selfClosed: false, end: end ?? "" };
}

function withoutEntities(text: string): string {
  const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return text.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => entities[name] ?? "");
}

/** Without line breaks that were escaped once too often. */
function clean(name: string): string {
  return name.replace(/(\\n)+$/, "").trim();
}
