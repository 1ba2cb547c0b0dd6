import { type MarkerSet, undecided } from "./marker-set.ts";
import type { Source } from "./source.ts";

/** A step of reading that pauses, by yielding, where it needs more text than has arrived. */
export type Reading<T> = Generator<undefined, T, undefined>;

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

/** The next character's code, or -1 at the end of the input. */
export function* peek(source: Source): Reading<number> {
  while (source.exhausted) {
    if (source.ended) return -1;
    yield;
  }
  return source.text.charCodeAt(source.pos);
}

export function* skipSpace(source: Source): Reading<number> {
  for (;;) {
    const code = yield* peek(source);
    if (!isSpace(code)) return code;
    source.pos++;
  }
}

/** Whether `literal` comes next. Reads nothing. */
export function* lookingAt(source: Source, literal: string): Reading<boolean> {
  for (;;) {
    const { text, pos } = source;
    if (text.startsWith(literal, pos)) return true;
    if (source.ended || text.length - pos >= literal.length) return false;
    if (!literal.startsWith(text.slice(pos))) return false;
    yield;
  }
}

/** Reads `literal` if it comes next. */
export function* accept(source: Source, literal: string): Reading<boolean> {
  if (!(yield* lookingAt(source, literal))) return false;
  source.pos += literal.length;
  return true;
}

/** The marker of the set that comes next. Reads nothing. */
export function* markerHere<T>(source: Source, set: MarkerSet<T>): Reading<T | undefined> {
  for (;;) {
    const found = set.match(source.text, source.pos, source.ended);
    if (found !== undecided) return found;
    yield;
  }
}

/** Reads a marker of the set after white space; where there is none, reads nothing at all. */
export function* acceptAfterSpace(source: Source, set: MarkerSet<string>): Reading<string | undefined> {
  const before = source.offset;
  yield* skipSpace(source);
  const found = yield* markerHere(source, set);
  if (found === undefined) source.rewind(before);
  else source.pos += found.length;
  return found;
}

export type ReadText<T> = {
  readonly text: string;
  readonly marker: T | undefined;
  readonly tooLong: boolean;
};

/** Reads up to a marker of the set, which is left unread; up to the end of the input or `limit` characters where there is none. */
export function* readUntil<T>(
  source: Source,
  set: MarkerSet<T>,
  limit = Number.POSITIVE_INFINITY,
): Reading<ReadText<T>> {
  let read = "";
  const absorb = (chunk: string) => {
    if (read.length + chunk.length > limit || set.nextTrigger(chunk, 0) < chunk.length) return false;
    read += chunk;
    return true;
  };
  for (;;) {
    const { text, pos } = source;
    const bound = Math.min(text.length, pos + limit - read.length + 1);
    let i = set.nextTrigger(text, pos, bound);
    let found: T | undefined | typeof undecided;
    for (; i < bound; i = set.nextTrigger(text, i + 1, bound)) {
      found = set.match(text, i, source.ended);
      if (found !== undefined) break;
    }
    if (i > pos) read += text.slice(pos, i);
    source.pos = i;
    if (read.length > limit) return { text: read, marker: undefined, tooLong: true };
    if (found !== undefined && found !== undecided) return { text: read, marker: found, tooLong: false };
    if (source.ended) return { text: read, marker: undefined, tooLong: false };
    if (source.exhausted) source.absorber = absorb;
    yield;
  }
}

const nameLimit = 128;

/** Reads characters while they may be part of a name. */
export function* readName(source: Source, isPart: (code: number) => boolean = isNamePart): Reading<string> {
  let name = "";
  for (;;) {
    const code = yield* peek(source);
    if (!isPart(code) || name.length > nameLimit) return name;
    name += String.fromCharCode(code);
    source.pos++;
  }
}

/** Letters of any script, digits, and what joins the parts of a name. The bar is that of special tokens. */
function isNamePart(code: number): boolean {
  if (code > 127) return code !== 0xff5c;
  return isWord(code) || code === 45 || code === 46 || code === 47 || code === 58;
}

export function isWord(code: number): boolean {
  return (
    (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
  );
}
