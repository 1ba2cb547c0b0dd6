import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { CodingEnvironment } from "../agent/coding-prompt.ts";

/** Looked up without starting anything: even `git status` can run programs that a repository names. */
export function codingEnvironment(folder: string, now = new Date()): CodingEnvironment {
  const branch = branchOf(folder);
  const shell = process.env.SHELL && basename(process.env.SHELL);
  return {
    folder,
    platform: `${process.platform} ${process.arch}`,
    ...(shell && { shell }),
    date: now.toISOString().slice(0, 10),
    ...(branch && { branch }),
  };
}

/** `ref: refs/heads/main`; a commit when there is no branch. Nothing where the folder is not a repository's root. */
function branchOf(folder: string): string | undefined {
  let head: string;
  try {
    head = readFileSync(join(folder, ".git", "HEAD"), "utf8");
  } catch {
    return undefined; // no repository, or one whose .git is elsewhere
  }
  const [, branch] = /^ref: refs\/heads\/(.{1,200})\n?$/.exec(head) ?? [];
  return branch ?? (/^[0-9a-f]{40}/.test(head) ? `none, at ${head.slice(0, 10)}` : undefined);
}
