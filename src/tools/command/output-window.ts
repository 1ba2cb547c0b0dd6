import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";

export type OutputLimits = {
  /** Characters kept of the beginning and of the end, where a build says what went wrong. */
  readonly head: number;
  readonly tail: number;
  /** A folder for the whole of it when it is longer. Left out: the middle is lost. */
  readonly folder?: string | undefined;
};

/** Longer output is not even kept in the file: a program that never stops printing must not fill the disk. */
const longestFile = 64 * 1024 * 1024;

/** The beginning and the end of a text that comes in pieces and may never stop; memory stays bounded. */
export class OutputWindow implements Disposable {
  readonly #limits: OutputLimits;
  #head = "";
  #tail = "";
  #total = 0;
  #file: { readonly path: string; readonly fd: number; size: number } | undefined;

  constructor(limits: OutputLimits) {
    this.#limits = limits;
  }

  add(text: string): void {
    if (text === "") return;
    const { head, tail } = this.#limits;
    const fitsBefore = this.#total <= head + tail;
    this.#total += text.length;
    if (this.#total > head + tail) {
      if (fitsBefore) this.#openFile(this.#head + this.#tail);
      this.#append(text);
    }
    const room = head - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    // Cutting seldom, and then by much, costs less than cutting a little each time.
    if (this.#tail.length > 2 * tail) this.#tail = this.#tail.slice(-tail);
  }

  get total(): number {
    return this.#total;
  }

  /** Where the whole is, once it does not fit. */
  get file(): string | undefined {
    return this.#file?.path;
  }

  /** The last characters. */
  last(count: number): string {
    return (this.#tail.length < count ? this.#head + this.#tail : this.#tail).slice(-count).toWellFormed();
  }

  text(): string {
    const { head, tail } = this.#limits;
    if (this.#total <= head + tail) return this.#head + this.#tail;
    const end = this.#tail.slice(-tail);
    const missing = this.#total - this.#head.length - end.length;
    const where = this.#file
      ? `the whole output${this.#file.size >= longestFile ? "'s beginning" : ""} is in ${this.#file.path}`
      : "it was not kept";
    // A cut between the two halves of a character leaves what no provider accepts.
    return `${this.#head}\n[… ${missing} characters left out here; ${where} …]\n${end}`.toWellFormed();
  }

  [Symbol.dispose](): void {
    if (this.#file) closeSync(this.#file.fd);
  }

  #openFile(text: string): void {
    const { folder } = this.#limits;
    if (folder === undefined) return;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const name = process.getBuiltinModule("node:crypto").randomBytes(6).toString("hex");
      const path = join(folder, `output-${name}.txt`);
      this.#file = { path, fd: openSync(path, "wx", 0o600), size: 0 };
      this.#append(text);
    } catch {
      // a full or read-only disk: the command goes on, and the text says that the middle was not kept
    }
  }

  #append(text: string): void {
    const file = this.#file;
    if (!file || file.size >= longestFile) return;
    const bytes = Buffer.from(text).subarray(0, longestFile - file.size);
    try {
      // At once: what waited for the disk would have to be held in memory.
      writeSync(file.fd, bytes);
      file.size += bytes.length;
    } catch {
      file.size = longestFile; // the disk is full: what is there stays
    }
  }
}
