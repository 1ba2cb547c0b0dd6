import { once } from "node:events";
import { visibleText } from "./visible-text.ts";

/** Nobody takes our output any more: the reader has gone (`aintern … | head -1`), or the disk is full. */
export class OutputClosed extends Error {
  override readonly name = "OutputClosed";
  readonly isReaderGone: boolean;

  constructor(code: string | undefined) {
    super("The output is closed.");
    this.isReaderGone = code === "EPIPE" || code === "ERR_STREAM_DESTROYED";
  }
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
      // Also a full disk: the launcher has told of it.
      onClosed(new OutputClosed(error.code));
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
