import { lstat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { OpenFolder } from "../../workspace/open-folder.ts";
import { isSecretPath } from "../../workspace/secret-path.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { PathRefused } from "../../workspace/workspace-path.ts";
import { resolveForReading } from "../file-risk.ts";

/** Where ripgrep looks, and what of its findings may be shown. */
export type SearchedFolder = AsyncDisposable & {
  /** In words. */
  readonly place: string;
  readonly isFile: boolean;
  readonly folder: OpenFolder;
  /** What to look at, from the folder: all of it, or one file. */
  readonly target: string;
  readonly ignoreOptions: readonly string[];
  /** Why a file, named from the folder, is not to be shown. */
  hiddenAs(file: string): "secret" | "ignored" | undefined;
  /** Its path from the root. */
  name(file: string): string;
};

/**
 * Ripgrep leaves out most of what is ignored by itself, which makes it fast; what it finds is judged again, because it
 * knows neither `.ainternignore` nor secrets. Whoever asks for an ignored or secret folder by name gets it. Throws
 * `PathRefused`.
 */
export async function openSearchedFolder(workspace: Workspace, written: string): Promise<SearchedFolder> {
  const path = await resolveForReading(workspace, written);
  const stat = await lstat(path.absolute).catch(() => undefined);
  if (!stat) throw new PathRefused(`${path.relative} does not exist.`);
  if (!stat.isDirectory() && !stat.isFile())
    throw new PathRefused(`${path.relative} is neither a file nor a folder.`);
  const base = stat.isDirectory() ? path.absolute : dirname(path.absolute);
  const rules = workspace.ignoreRules();
  const wanted = stat.isFile() || rules.ignores(path.absolute, true);
  const showSecrets = isSecretPath(path.relative);
  const prefix =
    base === workspace.root ? "" : `${stat.isDirectory() ? path.relative : dirname(path.relative)}/`;
  const folder = await OpenFolder.open(base);
  const clean = (file: string) => file.split(sep).join("/").replace(/^\.\//, "");
  return {
    place: path.relative === "." ? "the workspace" : path.relative,
    isFile: stat.isFile(),
    folder,
    target: stat.isDirectory() ? "./" : `./${basename(path.absolute)}`,
    ignoreOptions: wanted
      ? ["--no-ignore"]
      : [
          "--no-ignore-dot",
          "--no-ignore-global",
          "--no-require-git",
          ...(rules.inRepository ? [] : ["--no-ignore-parent"]),
        ],
    hiddenAs: (file) => {
      if (!showSecrets && isSecretPath(prefix + clean(file))) return "secret";
      return !wanted && rules.ignores(join(base, file), false) ? "ignored" : undefined;
    },
    name: (file) => prefix + clean(file),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
