import { constants } from "node:fs";
import { appendFile, mkdir, open, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { contentHash } from "./content-hash.ts";
import type { FileState } from "./replace-file.ts";

/** A file as it was before one change. */
export type Checkpoint = {
  readonly id: string;
  /** As in `WorkspacePath.relative`. */
  readonly path: string;
  /** ISO 8601. */
  readonly recordedAt: string;
  /** Nothing: there was no file. */
  readonly before: { readonly hash: string; readonly mode: number } | null;
  /** The content the change put there; nothing when it removed the file. */
  readonly after: string | null;
};

/** The file is not what the recorded change made of it: restoring would lose what somebody did since. */
export class CheckpointConflict extends Error {
  override readonly name = "CheckpointConflict";
}

/** Puts a file back. `expected` is the hash of what should be there now; unless it is left out, all else is refused. */
export type RestoreFile = (
  path: string,
  state: FileState | undefined,
  expected: { readonly hash: string | null } | undefined,
) => Promise<void>;

/**
 * What files held before they were changed, each content once, under its hash. The folder may be deleted at any time:
 * then there is nothing to undo.
 */
export class Checkpoints {
  readonly folder: string;
  readonly #restoreFile: RestoreFile;
  readonly #now: () => number;

  constructor(folder: string, restoreFile: RestoreFile, now: () => number = Date.now) {
    this.folder = folder;
    this.#restoreFile = restoreFile;
    this.#now = now;
  }

  /** Returns when it is safely on the disk, so that the change may begin. */
  async record(path: string, before: FileState | undefined, after: Uint8Array | undefined): Promise<string> {
    await mkdir(join(this.folder, "contents"), { recursive: true, mode: 0o700 });
    const checkpoint: Checkpoint = {
      id: process.getBuiltinModule("node:crypto").randomUUID(),
      path,
      recordedAt: new Date(this.#now()).toISOString(),
      before: before ? { hash: await this.#keep(before.content), mode: before.mode } : null,
      after: after ? contentHash(after) : null,
    };
    // A line that a crash cut short is closed by the next one's line feed, and skipped when reading.
    await appendFile(this.#log, `\n${JSON.stringify(checkpoint)}`, { mode: 0o600, flush: true });
    return checkpoint.id;
  }

  /** Oldest first. */
  async list(): Promise<readonly Checkpoint[]> {
    let text: string;
    try {
      text = await readFile(this.#log, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
    return text.split("\n").flatMap((line) => parseCheckpoint(line) ?? []);
  }

  /**
   * Makes the file what it was before. That is itself a change, recorded like any other. Several changes of one file are
   * undone newest first. Throws `CheckpointConflict` unless `overwrite` is set.
   */
  async restore(id: string, { overwrite = false } = {}): Promise<Checkpoint> {
    const checkpoint = (await this.list()).find((candidate) => candidate.id === id);
    if (!checkpoint) throw new RangeError(`There is no checkpoint ${id}.`);
    const { path, before, after } = checkpoint;
    const state = before ? { content: await this.#read(before.hash), mode: before.mode } : undefined;
    await this.#restoreFile(path, state, overwrite ? undefined : { hash: after });
    return checkpoint;
  }

  get #log(): string {
    return join(this.folder, "checkpoints.jsonl");
  }

  #contentPath(hash: string): string {
    return join(this.folder, "contents", hash.slice(0, 2), hash.slice(2));
  }

  async #keep(content: Uint8Array): Promise<string> {
    const hash = contentHash(content);
    const path = this.#contentPath(hash);
    if (await this.#read(hash).catch(() => undefined)) return hash; // there already, and whole
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const temporary = `${path}.${process.getBuiltinModule("node:crypto").randomUUID()}.tmp`;
    {
      await using file = await open(
        temporary,
        constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
        0o600,
      );
      await file.writeFile(content);
      await file.sync();
    }
    await rename(temporary, path);
    return hash;
  }

  async #read(hash: string): Promise<Buffer> {
    const content = await readFile(this.#contentPath(hash));
    if (contentHash(content) !== hash) throw new Error(`The kept content ${hash} is damaged.`);
    return content;
  }
}

function parseCheckpoint(line: string): Checkpoint | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined; // the empty first line, or one cut short by a crash
  }
  return isCheckpoint(value) ? value : undefined;
}

function isCheckpoint(value: unknown): value is Checkpoint {
  if (typeof value !== "object" || value === null) return false;
  const field = (name: string): unknown => Reflect.get(value, name);
  const before = field("before");
  const isHash = (hash: unknown) => typeof hash === "string" && /^[0-9a-f]{64}$/.test(hash);
  return (
    typeof field("id") === "string" &&
    typeof field("path") === "string" &&
    typeof field("recordedAt") === "string" &&
    (field("after") === null || isHash(field("after"))) &&
    (before === null ||
      (typeof before === "object" &&
        isHash(Reflect.get(before, "hash")) &&
        typeof Reflect.get(before, "mode") === "number"))
  );
}
