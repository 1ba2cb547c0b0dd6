/** Carries what several producers push to one reader, in order. Ends when closed and read to the end. */
export class EventQueue<Item extends object> implements AsyncIterableIterator<Item> {
  #items: Item[] = [];
  #read = 0;
  #closed = false;
  #wake: (() => void) | undefined;

  push(item: Item): void {
    if (this.#closed) return;
    this.#items.push(item);
    this.#wake?.();
  }

  /** Takes the place of the newest unread item that `matches`, or joins the end. For items where only the last counts. */
  pushLatest(item: Item, matches: (waiting: Item) => boolean): void {
    const last = this.#items.findLastIndex(matches);
    if (last >= this.#read && !this.#closed) this.#items[last] = item;
    else this.push(item);
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<Item, undefined>> {
    for (;;) {
      const value = this.#items[this.#read];
      if (value !== undefined) {
        this.#read += 1;
        if (this.#read === this.#items.length) this.#forget();
        return { done: false, value };
      }
      if (this.#closed) return { done: true, value: undefined };
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wake = resolve;
      await promise;
      this.#wake = undefined;
    }
  }

  async return(): Promise<IteratorResult<Item, undefined>> {
    this.#forget();
    this.close();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #forget(): void {
    this.#items = [];
    this.#read = 0;
  }
}
