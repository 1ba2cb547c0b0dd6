import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";

const running =
  /^(core\.(fsmonitor|pager|editor|sshcommand|gitproxy|askpass)|pager\..*|diff\.external|diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)|gpg\.program|gpg\..*\.program|log\.showsignature|interactive\.difffilter|include\.path|includeif\..*|extensions\.worktreeconfig|core\.attributesfile)$/;

/**
 * Whether the settings of the repository a folder is in make commands such as `git status` run programs. They lie in the
 * repository, so that an archive somebody sent brings its own.
 */
export function gitRunsPrograms(folder: string): boolean {
  const found = findRepository(folder);
  if (!found) return false;
  const settings = read(join(found.repository, "config")) ?? "";
  if (settingsRunPrograms(settings)) return true;
  const hooks = hookFolders(found.repository, settings);
  if (hooks.some((each) => existsSync(join(each, "post-index-change")))) return true;
  // `git status` looks into submodules as well, by their own settings.
  return submodules(found.top).some((path) => existsSync(join(path, ".git")) && gitRunsPrograms(path));
}

/** Folders below, so that this comes to an end. */
function submodules(top: string): readonly string[] {
  return readSettings(read(join(top, ".gitmodules")) ?? "")
    .filter(({ key }) => /^submodule\..*\.path$/.test(key))
    .map(({ value }) => resolve(top, value))
    .filter((path) => path.startsWith(`${top}${sep}`));
}

/** Whether a text in the form of `.git/config` names a program to be run while reading. */
export function settingsRunPrograms(text: string): boolean {
  return readSettings(text).some(
    ({ key, value }) => running.test(key) && !/^(true|false|yes|no|0|1|)$/i.test(value),
  );
}

type Setting = { readonly key: string; readonly value: string };

function readSettings(text: string): readonly Setting[] {
  const settings: Setting[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\](.*)$/.exec(line);
    if (header)
      section = [header[1], header[2]]
        .filter((name) => name !== undefined)
        .join(".")
        .toLowerCase();
    const entry = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?))?\s*$/.exec(header ? (header[3] ?? "") : line);
    if (entry?.[1]) settings.push({ key: `${section}.${entry[1].toLowerCase()}`, value: entry[2] ?? "" });
  }
  return settings;
}

function hookFolders(repository: string, settings: string): readonly string[] {
  const path = readSettings(settings).findLast(({ key }) => key === "core.hookspath")?.value;
  return [join(repository, "hooks"), ...(path ? [resolve(dirname(repository), path)] : [])];
}

/** Where git would find its own files: in `.git` here or above, or here if the folder is a bare repository. */
function findRepository(folder: string): { readonly repository: string; readonly top: string } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const own = join(at, ".git");
    if (existsSync(own)) return { repository: linkedRepository(own, at), top: at };
    if (["HEAD", "config", "objects", "refs"].every((name) => existsSync(join(at, name))))
      return { repository: at, top: at };
    if (dirname(at) === at) return undefined;
  }
}

/** In a worktree or a submodule `.git` is a file that says where the repository is. */
function linkedRepository(own: string, folder: string): string {
  if (statSync(own).isDirectory()) return own;
  const target = /^gitdir:\s*(.+?)\s*$/m.exec(read(own) ?? "")?.[1];
  if (target === undefined) return own;
  const repository = resolve(folder, target);
  const common = read(join(repository, "commondir"))?.trim();
  return common === undefined ? repository : resolve(repository, common);
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // there is none, or it is not for us
  }
}
