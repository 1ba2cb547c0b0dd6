import { lstatSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { pathMatcher } from "./glob.ts";

type Rule = {
  readonly ignores: boolean;
  readonly foldersOnly: boolean;
  /** Against the path from the rule's folder, or against the last name in it. */
  readonly wholePath: boolean;
  readonly matches: (path: string) => boolean;
};

/** Read in this order, the later one wins: what git leaves alone can be shown to the agent, and the other way round. */
const fileNames = [".gitignore", ".ainternignore"];
const largestFile = 512 * 1024;

/**
 * What `.gitignore` and `.ainternignore` leave out, as git reads them: files further down win over those further up, and
 * nothing below an ignored folder comes back. If the root lies in a repository, the rules begin at the repository's top.
 * Rules are as foreign as any other file, so they are matched by `glob.ts`, which no pattern can keep busy.
 */
export class IgnoreRules {
  /** Whether rules come from above the root as well. */
  readonly inRepository: boolean;
  readonly #root: string;
  readonly #top: string;
  readonly #rules = new Map<string, readonly Rule[]>();
  readonly #folders = new Map<string, boolean>();

  /** The files are read when a path below them is first asked about, and once: take new rules for each call. */
  constructor(root: string) {
    const repository = repositoryOf(root);
    this.#root = root;
    this.#top = repository ?? root;
    this.inRepository = repository !== undefined;
  }

  /** `path` is absolute, in the root. */
  ignores(path: string, isFolder: boolean): boolean {
    // A root that git ignores, opened as a workspace, is still what the user wants to work on.
    if (path === this.#root || dirname(path) === path) return false;
    return this.#ignoresFolder(dirname(path)) || this.#judge(path, isFolder);
  }

  #ignoresFolder(folder: string): boolean {
    let ignored = this.#folders.get(folder);
    if (ignored === undefined) {
      ignored = this.ignores(folder, true);
      this.#folders.set(folder, ignored);
    }
    return ignored;
  }

  #judge(path: string, isFolder: boolean): boolean {
    for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder)) {
      const fromHere = relative(folder, path).split(sep).join("/");
      const rule = this.#rulesIn(folder).findLast(
        ({ foldersOnly, wholePath, matches }) =>
          (isFolder || !foldersOnly) && matches(wholePath ? fromHere : basename(path)),
      );
      if (rule) return rule.ignores;
      if (folder === this.#top) break;
    }
    return false;
  }

  #rulesIn(folder: string): readonly Rule[] {
    let rules = this.#rules.get(folder);
    if (!rules) {
      const excluded = folder === this.#top && this.inRepository ? [join(".git", "info", "exclude")] : [];
      rules = [...excluded, ...fileNames].flatMap((name) => readRules(join(folder, name)));
      this.#rules.set(folder, rules);
    }
    return rules;
  }
}

function repositoryOf(root: string): string | undefined {
  for (let folder: string | undefined = root; folder !== undefined; folder = parentOf(folder)) {
    if (lstatSync(join(folder, ".git"), { throwIfNoEntry: false })) return folder;
  }
  return undefined;
}

function parentOf(path: string): string | undefined {
  const parent = dirname(path);
  return parent === path ? undefined : parent;
}

/** No links, no devices, not without end. */
function readRules(path: string): readonly Rule[] {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > largestFile) return [];
    const lines = readFileSync(path, "utf8")
      .replace(/^\ufeff/, "")
      .split(/\r?\n/);
    return lines.flatMap((line) => parseRule(line) ?? []);
  } catch {
    return []; // not readable, or a parent is no folder: there are no rules to follow
  }
}

function parseRule(line: string): Rule | undefined {
  // A trailing space counts only behind a backslash.
  const written = line.replace(/(?<!\\) +$/, "");
  if (written === "" || written.startsWith("#")) return undefined;
  const ignores = !written.startsWith("!");
  const pattern = ignores ? written : written.slice(1);
  const foldersOnly = pattern.endsWith("/");
  const path = foldersOnly ? pattern.slice(0, -1) : pattern;
  if (path === "") return undefined;
  const matches = pathMatcher(path.replace(/^\//, ""));
  return { ignores, foldersOnly, wholePath: path.includes("/"), matches };
}
