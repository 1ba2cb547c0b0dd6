import { constants } from "node:fs";
import { type FileHandle, open, readlink, realpath } from "node:fs/promises";
import { PathRefused, resolveInside, type WorkspacePath } from "./workspace-path.ts";

/** The folder the agent may touch, and others it was granted. */
export class Workspace {
  /** Without links. */
  readonly root: string;
  /** Folders beside the workspace that may be used as well, without links. They need not exist yet. */
  readonly granted: readonly string[];

  private constructor(root: string, granted: readonly string[]) {
    this.root = root;
    this.granted = granted;
  }

  static async open(folder: string, granted: readonly string[] = []): Promise<Workspace> {
    return new Workspace(await realpath(folder), granted);
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
