type Node<T> = { readonly next: Map<number, Node<T>>; value: T | undefined };

/** A marker of the set may begin here, but the text ends before it is decided. */
export const undecided = Symbol("undecided");

/** Literal strings to look for, all at once. */
export class MarkerSet<T> {
  readonly #root: Node<T> = { next: new Map(), value: undefined };
  readonly texts: readonly string[];
  /** By UTF-16 code, the last entry for all codes beyond the table: 1 where a marker can begin. */
  readonly #triggers = new Uint8Array(257);

  constructor(markers: Iterable<readonly [string, T]>) {
    const texts: string[] = [];
    for (const [text, value] of markers) {
      this.#add(text, value);
      texts.push(text);
    }
    this.texts = texts;
  }

  #add(text: string, value: T): void {
    let node = this.#root;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      let next = node.next.get(code);
      if (!next) {
        next = { next: new Map(), value: undefined };
        node.next.set(code, next);
      }
      node = next;
    }
    this.#triggers[Math.min(text.charCodeAt(0), 256)] = 1;
    node.value ??= value;
  }

  /** The longest marker at `pos`. */
  match(text: string, pos: number, ended: boolean): T | undefined | typeof undecided {
    let node = this.#root;
    let found: T | undefined;
    for (let i = pos; ; i++) {
      if (node.value !== undefined) found = node.value;
      if (node.next.size === 0) return found;
      if (i >= text.length) return ended ? found : undecided;
      const next = node.next.get(text.charCodeAt(i));
      if (!next) return found;
      node = next;
    }
  }

  /** Where in `text`, from `pos` on, a marker may begin by its first character; `end` if nowhere before it. */
  nextTrigger(text: string, pos: number, end: number = text.length): number {
    const triggers = this.#triggers;
    let i = pos;
    for (; i < end; i++) {
      const code = text.charCodeAt(i);
      if (triggers[code < 256 ? code : 256] === 1) break;
    }
    return i;
  }
}

/** A set whose markers stand for themselves. */
export function markerSet(...groups: readonly (readonly string[])[]): MarkerSet<string> {
  return new MarkerSet(groups.flat().map((text) => [text, text] as const));
}
