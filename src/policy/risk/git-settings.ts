import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const running =
  /^(core\.(fsmonitor|pager|editor|sshcommand|gitproxy|askpass)|pager\..*|diff\.external|diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)|gpg\.program|gpg\..*\.program|log\.showsignature|interactive\.difffilter|include\.path|includeif\..*|extensions\.worktreeconfig|core\.attributesfile)$/;

/**
 * Whether the settings of the repository a folder is in make commands such as `git status` run programs. They lie in the
 * repository, so that an archive somebody sent brings its own.
 */
export function gitRunsPrograms(folder: string): boolean {
  const repository = repositoryOf(folder);
  if (repository === undefined) return false;
  const settings = read(join(repository, "config"));
  if (settings !== undefined && settingsRunPrograms(settings)) return true;
  return hookFolders(repository, settings ?? "").some((hooks) =>
    existsSync(join(hooks, "post-index-change")),
  );
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
function repositoryOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const own = join(at, ".git");
    if (existsSync(own)) return linkedRepository(own, at);
    if (["HEAD", "config", "objects", "refs"].every((name) => existsSync(join(at, name)))) return at;
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
