import { type BigIntStats, constants } from "node:fs";
import { access, chmod, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { OpenFolder } from "./open-folder.ts";
import { PathRefused, type WorkspacePath } from "./workspace-path.ts";

/** A file as it was found: what an undo needs. */
export type FileState = { readonly content: Buffer; readonly mode: number };

export type Replacement = {
  /** Nothing: the file is to be gone. */
  readonly content: Uint8Array | undefined;
  /** Of a file that was not there before. */
  readonly mode?: number;
  /** Looks at what is there at the last moment, and throws to leave it alone. */
  readonly check: (before: FileState | undefined, stat: BigIntStats | undefined) => void | Promise<void>;
};

/** Larger ones are neither held in memory nor kept for an undo: a command can change them. */
const largestReplaced = 64 * 1024 * 1024;

/**
 * Puts content in the place of a file, whole or not at all: a reader sees the old file or the new one, also after a power
 * cut. The name is replaced, so what else the old file is known by (a hard link outside) keeps its content. All of it
 * happens in the very folder that was resolved; a link put anywhere in the way since then is refused, or is itself
 * what gets replaced. Throws `PathRefused`, and what `check` throws. `top` is the folder that must exist.
 */
export async function replaceFile(
  path: WorkspacePath,
  top: string,
  { content, mode, check }: Replacement,
): Promise<BigIntStats | undefined> {
  await using folder = await openParent(path, top);
  const target = join(folder.path, basename(path.absolute));
  const found = await lookAt(path, target);
  const before = found && (await readState(path, target, found));
  await check(before, found);
  if (content === undefined) {
    await rm(target, { force: true });
    await folder.sync();
    return undefined;
  }
  const temporary = join(folder.path, temporaryName(basename(path.absolute)));
  try {
    const written = await writeNew(temporary, content, found ? Number(found.mode) & 0o7777 : mode, found);
    if (!isSame(found, await lookAt(path, target)))
      throw new PathRefused(`${path.relative} was changed by somebody else just now. Read it again.`);
    await rename(temporary, target);
    await folder.sync();
    return written;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function openParent(path: WorkspacePath, top: string): Promise<OpenFolder> {
  if (path.absolute === top) throw new PathRefused(`${path.relative} is a folder, not a file.`);
  try {
    return await OpenFolder.make(dirname(path.absolute), top);
  } catch (error) {
    throw refusal(path, error);
  }
}

async function lookAt(path: WorkspacePath, target: string): Promise<BigIntStats | undefined> {
  let stat: BigIntStats;
  try {
    stat = await lstat(target, { bigint: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw refusal(path, error);
  }
  if (stat.isSymbolicLink()) throw new PathRefused(`${path.relative} was replaced by a link.`);
  if (stat.isDirectory()) throw new PathRefused(`${path.relative} is a folder, not a file.`);
  if (!stat.isFile())
    throw new PathRefused(`${path.relative} is not a plain file but a device, pipe or socket.`);
  if (stat.size > largestReplaced)
    throw new PathRefused(`${path.relative} has ${stat.size} bytes, too many to replace. Use a command.`);
  return stat;
}

async function readState(path: WorkspacePath, target: string, found: BigIntStats): Promise<FileState> {
  try {
    // Renaming over a file asks only for the right to change its folder; its own protection is meant all the same.
    await access(target, constants.W_OK);
    const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
    await using file = await open(target, flags);
    const opened = await file.stat({ bigint: true });
    if (!isSame(found, opened)) throw new PathRefused(`${path.relative} was replaced.`);
    return { content: await file.readFile(), mode: Number(found.mode) & 0o7777 };
  } catch (error) {
    throw refusal(path, error);
  }
}

async function writeNew(
  temporary: string,
  content: Uint8Array,
  mode: number | undefined,
  like: BigIntStats | undefined,
): Promise<BigIntStats> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  await using file = await open(temporary, flags, mode ?? 0o666);
  if (like && (Number(like.uid) !== process.getuid?.() || Number(like.gid) !== process.getgid?.())) {
    await file.chown(Number(like.uid), Number(like.gid)).catch(() => {
      // only root may give files away; the file is then the user's own
    });
  }
  if (mode !== undefined) await (process.platform === "win32" ? chmod(temporary, mode) : file.chmod(mode));
  await file.writeFile(content);
  await file.sync();
  return await file.stat({ bigint: true });
}

function isSame(one: BigIntStats | undefined, other: BigIntStats | undefined): boolean {
  return (
    one?.ino === other?.ino &&
    one?.dev === other?.dev &&
    one?.size === other?.size &&
    one?.mtimeNs === other?.mtimeNs
  );
}

function temporaryName(name: string): string {
  const random = process.getBuiltinModule("node:crypto").randomBytes(6).toString("hex");
  return `.${name.slice(0, 100)}.${random}.tmp`;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function refusal(path: WorkspacePath, error: unknown): unknown {
  switch (codeOf(error)) {
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new PathRefused(`${path.relative} may not be written: permission denied.`);
    case "ENOENT":
      return new PathRefused(`${path.relative} cannot be written: the folder it is to be in does not exist.`);
    case "ELOOP":
      return new PathRefused(`${path.relative} was replaced by a link.`);
    case "ENOTDIR":
      return new PathRefused(`${path.relative}: a part of this path is a file, not a folder.`);
    case "ENAMETOOLONG":
      return new PathRefused("This path is too long.");
    case "ENOSPC":
    case "EDQUOT":
      return new PathRefused(`${path.relative} was not written: the disk is full. Nothing was changed.`);
    case "EBUSY":
      return new PathRefused(`${path.relative} is in use or mounted, and cannot be replaced.`);
    case "ENXIO":
      return new PathRefused(`${path.relative} is not a plain file but a device, pipe or socket.`);
    default:
      return error;
  }
}
