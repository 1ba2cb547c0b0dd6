import { readdirSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import picomatch from "picomatch";
import type { PolicyPlace } from "../policy-place.ts";

const mostNames = 500;
/** Each more makes matching a long name slower by its length. */
const mostStars = 4;

/**
 * The names a pattern stands for now, as the shell would write them: one of them may be a link that leads elsewhere.
 * Nothing when there are too many to look at.
 */
export function expandGlob(
  place: PolicyPlace,
  folder: string,
  pattern: string,
): readonly string[] | undefined {
  const written = /^~(\/|$)/.test(pattern) ? join(place.home, pattern.slice(1)) : pattern;
  let names = [isAbsolute(written) ? "/" : ""];
  for (const segment of written.split("/").filter(Boolean)) {
    const isPattern = /[*?[]/.test(segment);
    if (segment.replace(/\*+/g, "*").split("*").length - 1 > mostStars) return undefined;
    const matches = isPattern
      ? picomatch(segment.replace(/\*+/g, "*"), { nobrace: true, noextglob: true })
      : undefined;
    const next: string[] = [];
    for (const name of names) {
      const found = matches
        ? namesIn(isAbsolute(name) ? name : join(folder, name)).filter((entry) => matches(entry))
        : [segment];
      // Not `join`, which would take `link/..` for nothing.
      next.push(...found.map((entry) => (name === "" || name === "/" ? name + entry : `${name}/${entry}`)));
      if (next.length > mostNames) return undefined;
    }
    names = next;
  }
  return names;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // not a folder, or not for us: the shell finds nothing there either
  }
}
