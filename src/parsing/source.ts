/**
 * Text that has arrived and is not settled. Only a short window is searched: what was read leaves it, so that a call
 * of a megabyte pushed by tokens is never copied as a whole. From `keep` on, what was read can be had again.
 */
export class Source {
  text = "";
  pos = 0;
  ended = false;
  /**
   * Set by a reader that pauses with everything read: takes a chunk whole if nothing in it is of note, which spares
   * waking all the readers above it. Valid for that pause only.
   */
  absorber: ((chunk: string) => boolean) | undefined;
  #base = 0;
  #history: string[] = [];
  #keepFrom = -1;

  /** How many characters were read since the beginning of the input. */
  get offset(): number {
    return this.#base + this.pos;
  }

  get exhausted(): boolean {
    return this.pos >= this.text.length;
  }

  /** Whether the chunk was taken by a reader at pause; else it is to be appended. */
  absorb(chunk: string): boolean {
    if (!this.absorber?.(chunk)) return false;
    if (this.#keepFrom >= 0) {
      this.#remember();
      this.#history.push(chunk);
    }
    this.#base += this.text.length + chunk.length;
    this.text = "";
    this.pos = 0;
    return true;
  }

  append(chunk: string): void {
    this.absorber = undefined;
    if (this.#keepFrom >= 0) this.#remember();
    this.text = this.exhausted ? chunk : this.text.slice(this.pos) + chunk;
    this.#base += this.pos;
    this.pos = 0;
  }

  /** Makes everything from `offset` on, which must still be in the window or be kept already, available again. */
  keep(offset: number): void {
    this.#history = offset < this.#base ? [this.#historyAfter(offset)] : [];
    this.#keepFrom = offset;
  }

  release(): void {
    this.#history = [];
    this.#keepFrom = -1;
  }

  /** What was read since an offset that is kept. */
  range(from: number): string {
    if (from >= this.#base) return this.text.slice(from - this.#base, this.pos);
    return this.#historyAfter(from) + this.text.slice(0, this.pos);
  }

  /** Goes back to an offset that is kept. */
  rewind(offset: number): void {
    if (offset < this.#base) {
      const first = this.#pieceAt(offset);
      const back = this.#history.splice(first.index).join("");
      if (first.skip > 0) this.#history.push(back.slice(0, first.skip));
      this.text = back.slice(first.skip) + this.text;
      this.#base = offset;
    }
    this.pos = offset - this.#base;
  }

  #historyAfter(offset: number): string {
    const first = this.#pieceAt(offset);
    return this.#history.slice(first.index).join("").slice(first.skip);
  }

  /** Found from the end: going back a little is cheap however much is kept. */
  #pieceAt(offset: number): { readonly index: number; readonly skip: number } {
    let index = this.#history.length;
    let at = this.#base;
    while (at > offset && index > 0) {
      index--;
      at -= this.#history[index]?.length ?? 0;
    }
    return { index, skip: offset - at };
  }

  #remember(): void {
    const from = Math.max(this.#keepFrom - this.#base, 0);
    if (this.pos > from) this.#history.push(this.text.slice(from, this.pos));
  }
}
