export type TextChunk = { readonly text: string; readonly isThinking: boolean };

/** Gathers pieces of text until there are enough for an event. Text and thinking are never mixed. */
export class TextBuffer {
  readonly #size: number;
  #pieces: string[] = [];
  #isThinking = false;

  constructor(size: number) {
    this.#size = size;
  }

  /** What was gathered of the other kind, which must go out first. */
  turnTo(isThinking: boolean): TextChunk | undefined {
    if (isThinking === this.#isThinking) return undefined;
    const before = this.flush();
    this.#isThinking = isThinking;
    return before;
  }

  /** What was gathered, if that is enough now. */
  add(text: string): TextChunk | undefined {
    this.#pieces.push(text);
    return this.#pieces.length >= this.#size ? this.flush() : undefined;
  }

  flush(): TextChunk | undefined {
    if (this.#pieces.length === 0) return undefined;
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? "") : this.#pieces.join("");
    this.#pieces = [];
    return { text, isThinking: this.#isThinking };
  }
}
