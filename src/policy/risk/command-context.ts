import { type LocatedPath, locatePath, type PolicyPlace } from "../policy-place.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import { expandGlob } from "./expand-glob.ts";

/** What is known around a command when it is looked at. */
export type CommandContext = {
  readonly place: PolicyPlace;
  /** Where it may run: a `cd` before it may have worked or not. */
  readonly folders: readonly string[];
  /** Whether git's settings in a folder make harmless git commands run programs. */
  readonly gitRunsPrograms?: ((folder: string) => boolean) | undefined;
};

/** Where a word leads if it is a path, or all that it stands for; for every folder it may be read from. */
export function locateWord(word: ShellWord, { place, folders }: CommandContext): readonly LocatedPath[] {
  const text = pathIn(word);
  if (text === undefined) return [];
  return folders.flatMap((folder) => {
    if (!word.glob) return [locatePath(place, folder, text)];
    const names = expandGlob(place, folder, text);
    const start = locatePath(place, folder, text.replace(/[^/]*[*?[][\s\S]*$/, "") || ".");
    // Too many to look at: one of them may be a link to anywhere.
    if (names === undefined) return [{ ...start, inside: false }];
    return [start, ...names.map((name) => locatePath(place, folder, name))];
  });
}

/** The word itself, or the value in an option: `--file=/etc/x`, `-f/etc/x`. */
function pathIn(word: ShellWord): string | undefined {
  let text = word.text.replace(/^\$\{?HOME\}?(?=\/|$)/, "~");
  if (text.startsWith("-")) {
    const value =
      /^-[^=]*=([\s\S]*)$/.exec(text)?.[1] ?? /^-[a-zA-Z]+?((?:\.\.|\.|~)?\/[\s\S]*)$/.exec(text)?.[1];
    if (value === undefined) return undefined;
    text = value;
  } else if (text.startsWith("~") && !word.tilde && !word.dynamic) text = `./${text}`;
  return text.replace(/^@/, "");
}
