import { lstatSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** Where commands run and what the agent may touch there. */
export type PolicyPlace = {
  /** The workspace's folder, without links. */
  readonly root: string;
  /** Folders beside it that may be used as well. */
  readonly granted?: readonly string[];
  readonly home: string;
  /** Follows links. Only tests that have no files need their own. */
  readonly realPath?: (path: string) => string | undefined;
};

export type LocatedPath = {
  readonly absolute: string;
  /** From the root, with forward slashes; nothing outside of the workspace. */
  readonly relative?: string;
  /** In the workspace or a granted folder. */
  readonly inside: boolean;
};

/** Where a path leads from a folder without links, all links followed; a link to nowhere leads outside. */
export function locatePath(place: PolicyPlace, folder: string, written: string): LocatedPath {
  const expanded = /^~(\/|$)/.test(written) ? join(place.home, written.slice(1)) : written;
  const isRelative = !isAbsolute(expanded);
  const wanted = isRelative ? `${folder}${sep}${expanded}` : expanded;
  const follow =
    place.realPath ?? (() => (isRelative ? followLinks(folder, expanded) : followLinks(sep, expanded)));
  const real = expanded.includes("\0") ? undefined : follow(wanted);
  const absolute = real ?? resolve(wanted);
  if (real === undefined) return { absolute, inside: false };
  if (isWithin(place.root, absolute)) {
    return { absolute, relative: relative(place.root, absolute).split(sep).join("/") || ".", inside: true };
  }
  return { absolute, inside: (place.granted ?? []).some((folder) => isWithin(folder, absolute)) };
}

export function isWithin(folder: string, path: string): boolean {
  const from = relative(folder, path);
  return from === "" || !(from === ".." || from.startsWith(`..${sep}`) || isAbsolute(from));
}

/**
 * Step by step, as the system does it: after a link, `..` is not where it seems. Starts in a folder without links. The end
 * need not exist.
 */
function followLinks(folder: string, path: string): string | undefined {
  let at = folder;
  for (const name of path.split(sep)) {
    if (name === "" || name === ".") continue;
    if (name === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, name);
    try {
      at = lstatSync(next).isSymbolicLink() ? realpathSync(next) : next;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      if (isLink(next) || (code !== "ENOENT" && code !== "ENOTDIR")) return undefined;
      at = next;
    }
  }
  return at;
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false; // there is nothing
  }
}
