import { type MarkerSet, undecided } from "./marker-set.ts";
import type { Reading } from "./reader.ts";
import type { Scanner } from "./scanner.ts";

/** Lets text out as it comes, up to a marker of the set, which is left unread. Undefined: the input ended first. */
export function* flowUntil(scanner: Scanner, set: MarkerSet<string>): Reading<string | undefined> {
  const { source } = scanner;
  for (;;) {
    const { text, pos } = source;
    let i = set.nextTrigger(text, pos);
    let found: string | undefined | typeof undecided;
    for (; i < text.length; i = set.nextTrigger(text, i + 1)) {
      found = set.match(text, i, source.ended);
      if (found !== undefined) break;
    }
    scanner.plain(text.slice(pos, i));
    source.pos = i;
    scanner.settle();
    if (found !== undefined && found !== undecided) return found;
    if (source.ended) return undefined;
    yield;
  }
}
