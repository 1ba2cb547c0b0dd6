import { join } from "node:path";
import picomatch from "picomatch";
import { RuleSyntaxError } from "./rule-syntax-error.ts";

/** `src/**`: from the root of the workspace, or absolute, or from the home folder with `~/`. */
export type PathPattern = {
  readonly kind: "path";
  readonly glob: string;
};

/** A place in the file system in both ways of writing it. */
export type MatchablePath = {
  readonly absolute: string;
  /** From the root of the workspace; nothing outside of it. */
  readonly relative?: string;
};

export function parsePathPattern(text: string): PathPattern {
  const glob = text.trim().replace(/^\.\//, "");
  if (glob === "") throw new RuleSyntaxError("holds no path between its brackets");
  if (glob.split("/").includes("..")) throw new RuleSyntaxError("must not hold `..` in its path");
  return { kind: "path", glob };
}

export function matchesPath(
  { glob }: PathPattern,
  path: MatchablePath,
  { home = "", ignoreCase = false } = {},
): boolean {
  const written = /^~(\/|$)/.test(glob) ? join(home, glob.slice(1)) : glob;
  const target = written.startsWith("/") ? path.absolute : path.relative;
  if (target === undefined) return false;
  return matcher(written, ignoreCase)(target);
}

export function isExactPath({ glob }: PathPattern): boolean {
  return !picomatch.scan(glob).isGlob;
}

export function pathDetail({ glob }: PathPattern): number {
  return glob.replace(/[*?]+/g, "").length;
}

/** A path as a pattern that matches it and nothing else. */
export function exactPathPattern(path: string): string {
  return path.replace(/[\\*?[\]{}()!+@|]/g, "\\$&");
}

const matchers = new Map<string, (path: string) => boolean>();

function matcher(glob: string, ignoreCase: boolean): (path: string) => boolean {
  const key = `${ignoreCase ? "i" : "c"}:${glob}`;
  let found = matchers.get(key);
  if (!found) {
    // A folder's rule holds for what is in it: `src/` and `src/**` are one.
    const whole = glob.endsWith("/") ? `${glob}**` : glob;
    found = picomatch(whole, { dot: true, nocase: ignoreCase, nonegate: true });
    matchers.set(key, found);
  }
  return found;
}
