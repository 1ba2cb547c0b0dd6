import { constants, realpathSync } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { CheckpointConflict, Checkpoints } from "./checkpoints.ts";
import { contentHash } from "./content-hash.ts";
import { FilesSeen } from "./files-seen.ts";
import { IgnoreRules } from "./ignore-rules.ts";
import { type FileState, replaceFile } from "./replace-file.ts";
import { isInside, PathRefused, resolveInside, type WorkspacePath } from "./workspace-path.ts";

export type WorkspaceOptions = {
  /** Where to keep what files held before a change. Left out: changes cannot be undone. */
  readonly checkpointFolder?: string;
};

export type FileWritten = {
  /** As it was before; nothing when there was no file. */
  readonly before: FileState | undefined;
  /** To undo the change with. */
  readonly checkpoint: string | undefined;
};

/** The folder the agent may touch, and others it was granted. Remembers, for one session, what it has seen of them. */
export class Workspace {
  /** Without links. */
  readonly root: string;
  /** Folders beside the workspace that may be used as well, without links. They need not exist yet. */
  readonly granted: readonly string[];
  readonly checkpoints: Checkpoints | undefined;
  readonly #seen = new FilesSeen();

  private constructor(root: string, granted: readonly string[], { checkpointFolder }: WorkspaceOptions) {
    this.root = root;
    this.granted = granted;
    this.checkpoints =
      checkpointFolder === undefined
        ? undefined
        : new Checkpoints(checkpointFolder, (...restored) => this.#restore(...restored));
  }

  static async open(
    folder: string,
    granted: readonly string[] = [],
    options: WorkspaceOptions = {},
  ): Promise<Workspace> {
    return new Workspace(await realpath(folder), granted, options);
  }

  /** Where a path leads as far as it exists, refused or not: to tell which calls touch the same, not for using it. */
  locate(written: string): string {
    const wanted = isAbsolute(written) ? resolve(written) : resolve(this.root, written);
    for (let folder = wanted; ; folder = dirname(folder)) {
      try {
        return join(realpathSync.native(folder), relative(folder, wanted));
      } catch {
        // not there, a loop, not ours to see: what is above it decides
        if (dirname(folder) === folder) return wanted;
      }
    }
  }

  /** As they are now. */
  ignoreRules(): IgnoreRules {
    return new IgnoreRules(this.root);
  }

  /** Relative paths start at the root. Throws `PathRefused`. */
  resolve(written: string): Promise<WorkspacePath> {
    return resolveInside(this.root, written, this.granted);
  }

  /**
   * Opens a file for reading, and makes sure that it is the file that was resolved: a link put in its place in the
   * meantime is refused, and so is everything that is not a plain file. Throws `PathRefused`.
   */
  async openFile(path: WorkspacePath): Promise<FileHandle> {
    // Without O_NONBLOCK, opening a pipe waits for somebody to write to it.
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    let file: FileHandle;
    try {
      file = await open(path.absolute, flags);
    } catch (error) {
      throw refusal(path, error);
    }
    try {
      const stat = await file.stat();
      if (stat.isDirectory()) throw new PathRefused(`${path.relative} is a folder. List it instead.`);
      if (!stat.isFile())
        throw new PathRefused(`${path.relative} is not a plain file but a device, pipe or socket.`);
      if ((await pathOf(file, path)) !== path.absolute)
        throw new PathRefused(`${path.relative} was replaced.`);
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  /** To be called by whoever shows an open file to the model: from then on it is not changed behind the model's back. */
  async remember(path: WorkspacePath, file: FileHandle): Promise<void> {
    await this.#seen.remember(path.absolute, file);
  }

  /**
   * Writes a whole file at once, with the folders above it. Throws `PathRefused`: for what is not a plain file, for one
   * that changed since the agent last saw it, and for one that no longer holds `over`, from which the content was made.
   */
  async writeFile(
    path: WorkspacePath,
    content: Uint8Array,
    { over }: { readonly over?: Uint8Array } = {},
  ): Promise<FileWritten> {
    let before: FileState | undefined;
    let checkpoint: string | undefined;
    const written = await replaceFile(path, this.#topOf(path), {
      content,
      check: async (found, stat) => {
        before = found;
        const stale = found && stat && this.#seen.hasChanged(path.absolute, stat, found.content);
        if (stale || (over && !found?.content.equals(over)))
          throw new PathRefused(
            `${path.relative} was changed by somebody else since it was read. Read it again, then change it.`,
          );
        checkpoint = await this.checkpoints?.record(path.relative, found, content);
      },
    });
    if (written) this.#seen.rememberContent(path.absolute, written, content);
    return { before, checkpoint };
  }

  async #restore(
    written: string,
    state: FileState | undefined,
    expected: { readonly hash: string | null } | undefined,
  ): Promise<void> {
    const path = await this.resolve(written);
    await replaceFile(path, this.#topOf(path), {
      content: state?.content,
      ...(state ? { mode: state.mode } : {}),
      check: async (found) => {
        if (expected && expected.hash !== (found ? contentHash(found.content) : null))
          throw new CheckpointConflict(`${path.relative} was changed since. Restoring it would lose that.`);
        await this.checkpoints?.record(path.relative, found, state?.content);
      },
    });
    // What the agent remembers stays: it has not seen what is there now, and must read it before the next change.
  }

  #topOf(path: WorkspacePath): string {
    return this.granted.find((folder) => isInside(folder, path.absolute)) ?? this.root;
  }
}

/** Where an open file really is. Linux can tell for the open file itself, which leaves no moment for a swap. */
async function pathOf(file: FileHandle, path: WorkspacePath): Promise<string> {
  if (process.platform === "linux") return readlink(`/proc/self/fd/${file.fd}`);
  return realpath(path.absolute);
}

function refusal(path: WorkspacePath, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ENOENT":
      return new PathRefused(`${path.relative} does not exist.`);
    case "EACCES":
    case "EPERM":
      return new PathRefused(`${path.relative} may not be read: permission denied.`);
    case "ELOOP":
    case "EMLINK":
      return new PathRefused(`${path.relative} was replaced by a link.`);
    case "ENXIO":
    case "ENODEV":
    case "EOPNOTSUPP":
      return new PathRefused(`${path.relative} is not a plain file but a device, pipe or socket.`);
    default:
      return error;
  }
}
