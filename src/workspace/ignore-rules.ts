import { lstatSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import type { Ignore } from "ignore";

type MakeIgnore = () => Ignore;

/** Read in this order, the later one wins: what git leaves alone can be shown to the agent, and the other way round. */
const fileNames = [".gitignore", ".ainternignore"];
const largestFile = 512 * 1024;

/**
 * What `.gitignore` and `.ainternignore` leave out, as git reads them: files further down win over those further up, and
 * nothing below an ignored folder comes back. If the root lies in a repository, the rules begin at the repository's top.
 */
export class IgnoreRules {
  /** Whether rules come from above the root as well. */
  readonly inRepository: boolean;
  readonly #root: string;
  readonly #top: string;
  readonly #make: MakeIgnore;
  readonly #rules = new Map<string, Ignore | undefined>();
  readonly #folders = new Map<string, boolean>();

  private constructor(root: string, top: string | undefined, make: MakeIgnore) {
    this.#root = root;
    this.#top = top ?? root;
    this.inRepository = top !== undefined;
    this.#make = make;
  }

  /** The files are read when a path below them is first asked about, and once: take new rules for each call. */
  static async open(root: string): Promise<IgnoreRules> {
    const { default: ignore } = await import("ignore");
    return new IgnoreRules(root, repositoryOf(root), () =>
      ignore({ ignorecase: process.platform !== "linux" }),
    );
  }

  /** `path` is absolute, in the root. */
  ignores(path: string, isFolder: boolean): boolean {
    if (path === this.#root || path === this.#top) return false;
    const parent = dirname(path);
    return this.#ignoresFolder(parent) || this.#judge(path, isFolder);
  }

  #ignoresFolder(folder: string): boolean {
    // A root that git ignores, opened as a workspace, is still what the user wants to work on.
    if (folder === this.#root || folder === this.#top || parentOf(folder) === undefined) return false;
    let ignored = this.#folders.get(folder);
    if (ignored === undefined) {
      ignored = this.ignores(folder, true);
      this.#folders.set(folder, ignored);
    }
    return ignored;
  }

  #judge(path: string, isFolder: boolean): boolean {
    for (let folder = parentOf(path); folder !== undefined; folder = parentOf(folder)) {
      const name = relative(folder, path).split(sep).join("/") + (isFolder ? "/" : "");
      const answer = this.#rulesIn(folder)?.test(name);
      if (answer?.ignored) return true;
      if (answer?.unignored) return false;
      if (folder === this.#top) break;
    }
    return false;
  }

  #rulesIn(folder: string): Ignore | undefined {
    if (!this.#rules.has(folder)) this.#rules.set(folder, this.#read(folder));
    return this.#rules.get(folder);
  }

  #read(folder: string): Ignore | undefined {
    const excluded = folder === this.#top && this.inRepository ? [join(".git", "info", "exclude")] : [];
    const lines = [...excluded, ...fileNames].flatMap((name) => readRules(join(folder, name)));
    return lines.length === 0 ? undefined : this.#make().add(lines);
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

/** A file of rules is as foreign as any other: no links, no devices, not without end, no pattern made to hang us. */
function readRules(path: string): readonly string[] {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat?.isFile() || stat.size > largestFile) return [];
    return readFileSync(path, "utf8")
      .replace(/^\ufeff/, "")
      .split(/\r?\n/)
      .filter((line) => line !== "" && !isHostile(line));
  } catch {
    return []; // not readable, or a parent is no folder: there are no rules to follow
  }
}

/** Patterns become regular expressions, and each further star multiplies the ways in which one can fail to match. */
function isHostile(line: string): boolean {
  return (
    line.length > 1_000 ||
    line.split("/").some((name) => name !== "**" && (name.match(/\*+/g)?.length ?? 0) > 3)
  );
}
