import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readlink, realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { PathRefused } from "./workspace-path.ts";

/**
 * A folder held open, so that what is done in it is done in this very folder, whatever becomes of its path in the
 * meantime. Where the system cannot address files through an open folder, its path is checked as late as possible.
 */
export class OpenFolder implements AsyncDisposable {
  /** Stands for the folder in the paths of calls to the system while it is open. */
  readonly path: string;
  readonly #handle: FileHandle | undefined;

  private constructor(path: string, handle: FileHandle | undefined) {
    this.path = path;
    this.#handle = handle;
  }

  /** `absolute` has no links. Throws `PathRefused` when one has been put into it since, and the system's error. */
  static async open(absolute: string, through = absolute): Promise<OpenFolder> {
    if (process.platform !== "linux") {
      if ((await realpath(absolute)) !== absolute) throw replaced(absolute);
      return new OpenFolder(absolute, undefined);
    }
    const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
    const handle = await open(through, flags);
    const path = `/proc/self/fd/${handle.fd}`;
    if ((await readlink(path)) === absolute) return new OpenFolder(path, handle);
    await handle.close();
    throw replaced(absolute);
  }

  /** Makes the folder and those above it that are missing, none of them above `top`. */
  static async make(absolute: string, top: string): Promise<OpenFolder> {
    try {
      return await OpenFolder.open(absolute);
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (code === "ENOTDIR" || code === "ELOOP")
        throw new PathRefused(`${absolute} is not a folder, or was replaced by a link.`);
      if (code !== "ENOENT" || absolute === top) throw error;
    }
    await using parent = await OpenFolder.make(dirname(absolute), top);
    const through = join(parent.path, basename(absolute));
    await mkdir(through).catch((error: unknown) => {
      // Somebody else made it in the meantime; what it is, is looked at next.
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
    return await OpenFolder.open(absolute, through);
  }

  /** Makes sure that a name put into the folder is still there after a power cut. */
  async sync(): Promise<void> {
    await this.#handle?.sync();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle?.close();
  }
}

function replaced(absolute: string): PathRefused {
  return new PathRefused(`${absolute} was replaced by a link.`);
}
