import { lstat, realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** A path that may be used: every link followed, inside the workspace. */
export type WorkspacePath = {
  /** Absolute, without links. */
  readonly absolute: string;
  /** From the root, with forward slashes; `.` for the root itself. Outside of the root, where that is granted: absolute. */
  readonly relative: string;
};

/** A path that may not be used. The message is for the model, and says nothing of what is outside. */
export class PathRefused extends Error {
  override readonly name = "PathRefused";
}

/**
 * Follows every link on the way, also in the parents of a file that does not exist yet, and refuses what does not end
 * inside the root or a granted folder. These must be real paths.
 */
export async function resolveInside(
  root: string,
  written: string,
  granted: readonly string[] = [],
): Promise<WorkspacePath> {
  if (written.includes("\0")) throw new PathRefused("A path cannot hold a NUL character.");
  if (process.platform === "win32") refuseWindowsTricks(written);
  const wanted = isAbsolute(written) ? resolve(written) : resolve(root, written);
  let real: string;
  try {
    real = await followLinks(wanted);
  } catch (error) {
    // What is wrong with a path outside is not for the model to know.
    if (error instanceof PathRefused && isInside(root, wanted)) throw error;
    throw outside(written);
  }
  if (granted.some((folder) => isInside(folder, real))) return { absolute: real, relative: real };
  if (!isInside(root, real)) throw outside(written);
  return { absolute: real, relative: relative(root, real).split(sep).join("/") || "." };
}

export function isInside(root: string, path: string): boolean {
  const from = relative(root, path);
  return from === "" || !(from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from));
}

function outside(written: string): PathRefused {
  return new PathRefused(`${written} is outside of the workspace. Only paths inside of it can be used.`);
}

/** Like `realpath`, for a path whose end may not exist yet. */
async function followLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ELOOP") throw new PathRefused(`${path} is a link that leads back to itself.`);
    if (code === "ENOTDIR") throw new PathRefused(`${path}: a part of this path is a file, not a folder.`);
    if (code === "ENAMETOOLONG") throw new PathRefused("This path is too long.");
    if (code === "EACCES") throw new PathRefused(`${path} may not be looked at: permission denied.`);
    if (code !== "ENOENT") throw error;
  }
  if (await exists(path)) throw new PathRefused(`${path} is a link to something that does not exist.`);
  const parent = dirname(path);
  return parent === path ? path : join(await followLinks(parent), basename(path));
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

/** Device and network prefixes, alternate data streams, and names Windows reads as devices or changes silently. */
function refuseWindowsTricks(written: string): void {
  const withoutDrive = written.replace(/^[a-zA-Z]:[\\/]/, "");
  const odd = /^[\\/]{2}|:/.test(withoutDrive) || written.startsWith("\\??\\");
  const parts = withoutDrive.split(/[\\/]/);
  const device = parts.some(
    (part) =>
      /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(part) || /[ .]$/.test(part.replace(/^\.{1,2}$/, "")),
  );
  if (odd || device) throw new PathRefused(`${written} is not a plain path.`);
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
