import { once } from "node:events";
import { visibleText } from "./visible-text.ts";

/** Whoever read our output has gone: `aintern … | head -1`. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
}

/**
 * Standard output for streamed text. What arrives in one turn of the event loop is written at once, so that a burst
 * of a thousand words costs one write. A terminal gets control characters written out; a file or pipe gets the text
 * as it is.
 */
export class StandardOutput {
  readonly #stream = process.stdout;
  #pending = "";
  #scheduled: NodeJS.Immediate | undefined;
  #endsInNewline = true;

  constructor(onClosed: (reason: OutputClosed) => void) {
    this.#stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") onClosed(new OutputClosed());
      else throw error;
    });
  }

  write(text: string): void {
    this.#pending += text;
    this.#scheduled ??= setImmediate(() => this.flush());
  }

  flush(): void {
    clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    if (this.#pending === "") return;
    const text = this.#stream.isTTY ? visibleText(this.#pending) : this.#pending;
    this.#pending = "";
    this.#endsInNewline = text.endsWith("\n");
    this.#stream.write(text);
  }

  /** The reader is slower than the model. */
  get needsDrain(): boolean {
    return this.#stream.writableNeedDrain;
  }

  /** Waits until the reader has caught up. */
  async drained(signal: AbortSignal): Promise<void> {
    await once(this.#stream, "drain", { signal });
  }

  endLine(): void {
    this.flush();
    if (!this.#endsInNewline) this.write("\n");
    this.flush();
  }
}
