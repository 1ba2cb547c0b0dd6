import { type MarkerSet, undecided } from "./marker-set.ts";
import type { Reading } from "./reader.ts";
import type { Source } from "./source.ts";

const quote = 34;
const apostrophe = 39;
const backslash = 92;

/** `complete`: the brackets balance. Otherwise `text` is what was read before that was known to be impossible. */
export type Extent = { readonly text: string; readonly complete: boolean };

/**
 * Reads an object or a list, at whose bracket the source stands, to its own end. Only brackets and strings count, so
 * that a value somewhat wrong still has its end; an angle bracket or a backtick outside strings, which no JSON has,
 * or a marker of `stops` means that it has none.
 */
export function* balancedExtent(source: Source, stops?: MarkerSet<string>): Reading<Extent> {
  let read = "";
  let depth = 0;
  let closer = 0;
  let escaped = false;
  for (;;) {
    const { text, pos } = source;
    let i = pos;
    let end = 0;
    for (; i < text.length && end === 0; i++) {
      const code = text.charCodeAt(i);
      if (escaped) escaped = false;
      else if (code === backslash) escaped = true;
      else if (closer !== 0) {
        if (code === closer) closer = 0;
      } else if (code === quote || code === apostrophe) closer = code;
      else if (code === 60 || code === 96) end = 2;
      else if (stops && depth > 0 && stops.nextTrigger(text, i, i + 1) === i) {
        const stop = stops.match(text, i, source.ended);
        if (stop === undecided) end = 3;
        else if (stop !== undefined) end = 2;
        else if (code === 123 || code === 91) depth++;
      } else if (code === 123 || code === 91) depth++;
      else if (code === 125 || code === 93) {
        depth--;
        if (depth === 0) end = 1;
      }
    }
    if (end > 1) i--;
    read += text.slice(pos, i);
    source.pos = i;
    if (end === 1) return { text: read, complete: true };
    if (end === 2 || source.ended) return { text: read, complete: false };
    yield;
  }
}
