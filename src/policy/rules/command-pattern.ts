import { RuleSyntaxError } from "./rule-syntax-error.ts";

/** One word of a pattern: the texts around its stars. One text and no star is that word and no other. */
type WordPattern = readonly string[];

/** `git log *`: the words a command must have, each by itself. */
export type CommandPattern = {
  readonly kind: "command";
  readonly words: readonly WordPattern[];
  /** Ends in ` *`: more words may follow, or none. */
  readonly open: boolean;
};

/** Words are written as in a shell: quotes and backslashes make a star, a blank or a quote stand for itself. */
export function parseCommandPattern(text: string): CommandPattern {
  // Elsewhere `rm:*` is what `rm *` is here. Taken as it stands, it would deny nothing, and nobody would know.
  if (/:\*$/.test(text.trim())) {
    const better = text.trim().slice(0, -2);
    throw new RuleSyntaxError(
      `ends in \`:*\`. For \`${better}\` with any words after it write \`${better} *\`; for a word that begins so, put the colon in quotes`,
    );
  }
  const words = splitWords(text);
  if (words.length === 0) throw new RuleSyntaxError("holds no command between its brackets");
  const last = words.at(-1);
  const open = last !== undefined && last.length === 2 && last.join("") === "";
  return { kind: "command", words: open ? words.slice(0, -1) : words, open };
}

export function matchesCommand(pattern: CommandPattern, words: readonly string[]): boolean {
  if (words.length < pattern.words.length) return false;
  if (words.length > pattern.words.length && !pattern.open) return false;
  return pattern.words.every((word, at) => matchesWord(word, words[at] ?? ""));
}

/** No star anywhere: whoever wrote it had the whole command before their eyes. */
export function isExactCommand(pattern: CommandPattern): boolean {
  return !pattern.open && pattern.words.every((word) => word.length === 1);
}

/** How many fixed words, and how many fixed characters in them. */
export function commandDetail(pattern: CommandPattern): readonly [words: number, characters: number] {
  const fixed = pattern.words.filter((word) => word.length === 1).length;
  return [fixed, pattern.words.flat().join("").length];
}

/** The words as a pattern that matches them and nothing else. */
export function exactPattern(words: readonly string[]): string {
  return words.map((word) => (/^[\w./:=@%+,~^-]+$/.test(word) ? word : quote(word))).join(" ");
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

function matchesWord(pattern: WordPattern, word: string): boolean {
  const first = pattern[0] ?? "";
  if (pattern.length === 1) return word === first;
  if (!word.startsWith(first)) return false;
  let at = first.length;
  for (const piece of pattern.slice(1, -1)) {
    const found = word.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  const last = pattern.at(-1) ?? "";
  return word.length - last.length >= at && word.endsWith(last);
}

const token = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|(\*)|([^\s'"\\*]+)|([\s\S])/g;

function splitWords(text: string): readonly WordPattern[] {
  const words: string[][] = [];
  let word: string[] | undefined;
  for (const [whole, single, double, escaped, star, plain] of text.matchAll(token)) {
    const fixed = single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? plain;
    if (fixed === undefined && star === undefined) {
      if (/^\s/.test(whole)) {
        word = undefined;
        continue;
      }
      throw new RuleSyntaxError(`has a quote that does not end: ${text}`);
    }
    if (!word) {
      word = [""];
      words.push(word);
    }
    if (star !== undefined) word.push("");
    else word.push((word.pop() ?? "") + (fixed ?? ""));
  }
  return words;
}

/** A command as it is written in an example: one program and its words, nothing of the shell but quotes. */
export function exampleWords(text: string): readonly string[] | undefined {
  if (/[;|&<>()`$\n]/.test(text.replace(/'[^']*'|"[^"`$]*"/g, ""))) return undefined;
  const words: string[] = [];
  for (const word of splitWords(text)) words.push(word.join("*"));
  return words.length > 0 ? words : undefined;
}
