import { type LocatedPath, locatePath, type PolicyPlace } from "../policy-place.ts";
import type { ShellWord } from "../shell/shell-word.ts";

/** What is known around a command when it is looked at. */
export type CommandContext = {
  readonly place: PolicyPlace;
  /** Where it may run: a `cd` before it may have worked or not. */
  readonly folders: readonly string[];
  /** Whether git's settings in a folder make harmless git commands run programs. */
  readonly gitRunsPrograms?: ((folder: string) => boolean) | undefined;
};

/** Where a word leads if it is a path; one place for every folder it may be read from. */
export function locateWord(word: ShellWord, { place, folders }: CommandContext): readonly LocatedPath[] {
  const text = pathIn(word);
  return text === undefined ? [] : folders.map((folder) => locatePath(place, folder, text));
}

/** The word itself, or the value in an option: `--file=/etc/x`, `-f/etc/x`. Of a pattern, its fixed beginning. */
function pathIn(word: ShellWord): string | undefined {
  let text = word.text.replace(/^\$\{?HOME\}?(?=\/|$)/, "~");
  if (text.startsWith("-")) {
    const value =
      /^-[^=]*=([\s\S]*)$/.exec(text)?.[1] ?? /^-[a-zA-Z]+?((?:\.\.|\.|~)?\/[\s\S]*)$/.exec(text)?.[1];
    if (value === undefined) return undefined;
    text = value;
  } else if (text.startsWith("~") && !word.tilde && !word.dynamic) text = `./${text}`;
  if (word.glob) text = text.replace(/[^/]*[*?[][\s\S]*$/, "") || ".";
  return text.replace(/^@/, "");
}
