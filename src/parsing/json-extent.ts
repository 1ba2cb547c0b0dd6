import {
  backslash,
  backtick,
  closeBrace,
  closeBracket,
  closeParenthesis,
  doubleQuote,
  lessThan,
  openBrace,
  openBracket,
  openParenthesis,
  singleQuote,
} from "./char-code.ts";
import { type MarkerSet, undecided } from "./marker-set.ts";
import type { Reading } from "./reader.ts";
import type { Source } from "./source.ts";

/** `complete`: the brackets balance. Otherwise `text` is what was read before that was known to be impossible. */
export type Extent = { readonly text: string; readonly complete: boolean };

/**
 * Reads an object, a list or Python's arguments, at whose bracket the source stands, to their own end. Only brackets
 * and strings count, so that a value somewhat wrong still has its end; an angle bracket or a backtick outside
 * strings, which neither language has, or a marker of `stops` means that it has none.
 * `watch` sees what was read at every pause.
 */
export function* balancedExtent(
  source: Source,
  stops?: MarkerSet<string>,
  watch?: (textSoFar: string) => void,
): Reading<Extent> {
  const scan = new BracketScan(stops);
  let read = "";
  const absorb = (chunk: string) => {
    if (!scan.isInsideThrough(chunk)) return false;
    read += chunk;
    return true;
  };
  for (;;) {
    const { text, pos } = source;
    const end = scan.advance(text, pos, source.ended);
    read += text.slice(pos, scan.pos);
    source.pos = scan.pos;
    if (end === "closed") return { text: read, complete: true };
    if (end === "broken" || source.ended) return { text: read, complete: false };
    watch?.(read);
    if (end === "open") source.absorber = absorb;
    yield;
  }
}

class BracketScan {
  pos = 0;
  readonly #stops: MarkerSet<string> | undefined;
  #depth = 0;
  /** The quote that ends the string being read; 0 outside strings. */
  #closer = 0;
  #escaped = false;

  constructor(stops: MarkerSet<string> | undefined) {
    this.#stops = stops;
  }

  /** Follows the text from `from` on, to `pos`. */
  advance(text: string, from: number, ended: boolean): "open" | "closed" | "broken" | "undecided" {
    const stops = this.#stops;
    for (let i = from; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (this.#escaped) this.#escaped = false;
      else if (code === backslash) this.#escaped = true;
      else if (this.#closer !== 0) {
        if (code === this.#closer) this.#closer = 0;
      } else if (code === doubleQuote || code === singleQuote) this.#closer = code;
      else {
        this.pos = i;
        if (code === lessThan || code === backtick) return "broken";
        if (stops && this.#depth > 0 && stops.nextTrigger(text, i, i + 1) === i) {
          const stop = stops.match(text, i, ended);
          if (stop === undecided) return "undecided";
          if (stop !== undefined) return "broken";
        }
        if (code === openBrace || code === openBracket || code === openParenthesis) this.#depth++;
        else if (code === closeBrace || code === closeBracket || code === closeParenthesis) {
          this.#depth--;
          if (this.#depth === 0) {
            this.pos = i + 1;
            return "closed";
          }
        }
      }
    }
    this.pos = text.length;
    return "open";
  }

  /** Whether a string is being read that goes on beyond `chunk`. */
  isInsideThrough(chunk: string): boolean {
    if (this.#closer === 0 || this.#escaped) return false;
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i);
      if (code === this.#closer || code === backslash) return false;
    }
    return true;
  }
}
