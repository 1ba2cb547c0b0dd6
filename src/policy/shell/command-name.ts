import type { ShellWord } from "./shell-word.ts";

/** The program's name without its folder; nothing when it is known only when it runs. */
export function commandName(word: ShellWord | undefined): string | undefined {
  if (!word || word.dynamic || word.glob || word.text === "") return undefined;
  const name = word.text.slice(word.text.lastIndexOf("/") + 1);
  return name.replace(/\.exe$/i, "");
}
