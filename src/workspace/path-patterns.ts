import { posix } from "node:path";

/** No system has longer ones; whoever writes one is up to something. */
const longestPath = 10_000;

/**
 * Tells whether a path, relative or absolute, ends in one of the patterns: `.env`, `*.pem`, `.docker/config.json`, or
 * `.ssh/**` for a folder and all in it. It is made for asking rather too often: names count as file systems may fold
 * them (case, width, invisible characters, trailing dots and spaces), and both slashes separate.
 */
export function matchesAny(patterns: readonly string[]): (path: string) => boolean {
  const ending = new RegExp(
    `(?:^|/)(?:${patterns.map((pattern) => source(pattern.toLowerCase())).join("|")})$`,
    // Names can hold line breaks.
    "s",
  );
  return (path) => path.length > longestPath || ending.test(fold(path));
}

function source(pattern: string): string {
  const folder = pattern.endsWith("/**");
  const name = (folder ? pattern.slice(0, -3) : pattern).replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  return name.replaceAll("*", "[^/]*") + (folder ? "(?:/.*)?" : "");
}

function fold(path: string): string {
  const plain = path
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .replaceAll("\\", "/")
    .toLowerCase();
  return posix
    .normalize(plain)
    .split("/")
    .map((name) => (name === ".." ? name : name.replace(/[. ]+$/, "")))
    .filter((name) => name !== "")
    .join("/");
}
