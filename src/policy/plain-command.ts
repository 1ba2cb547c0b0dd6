import type { CommandPart } from "./shell/shell-part.ts";

/*
 * Commands that run without a question and without a rule, while there is no sandbox to hold a wrong judgement: a few
 * programs that only read, with a few options, in text that means to bash what it seems to mean. Everything else is
 * judged just as closely, and then asks.
 */

/** No expansion, no pattern, no variable, no redirection but into nothing. */
export function isPlainText(command: string): boolean {
  const rest = command.replaceAll(/(?<=\s)(2>&1|[12]?>\s?\/dev\/null)(?=[\s;|]|$)/g, "");
  return /^[\w \t\n./,:=@%+\-|;&"']*$/.test(rest) && !/(?<!&)&(?!&)/.test(rest);
}

type Program = {
  /** What an option may look like. */
  readonly options?: RegExp;
  /** How many other words there must be, and may be. */
  readonly words: readonly [least: number, most: number];
};

const any = Number.POSITIVE_INFINITY;

const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["ls", { options: /^-[1AadFghlopRrSst]+$/, words: [0, any] }],
  ["cat", { options: /^-[AbEnsTv]+$/, words: [1, any] }],
  ["head", { options: /^-(\d+|[nc]\d*|q)$/, words: [0, any] }],
  ["tail", { options: /^-(\d+|[nc]\d*|q)$/, words: [0, any] }],
  ["wc", { options: /^-[clLmw]+$/, words: [0, any] }],
  // The first word is what is looked for, and standard input is nobody's file.
  ["grep", { options: /^-[EFHhilnoqsvwxc]+$/, words: [1, any] }],
  ["diff", { options: /^-[uqbwB]+$/, words: [2, 2] }],
  ["du", { options: /^-[sha]+$/, words: [0, any] }],
  ["df", { options: /^-h$/, words: [0, 0] }],
  ["uname", { options: /^-[amnrsv]+$/, words: [0, 0] }],
  ["cd", { words: [1, 1] }],
  ["echo", { words: [0, any] }],
  ["basename", { words: [1, 2] }],
  ["dirname", { words: [1, 1] }],
  ["which", { words: [1, any] }],
  ...["pwd", "true", "false", "date", "whoami", "nproc"].map((name) => [name, { words: [0, 0] }] as const),
]);

/** A wrapper that does nothing but run another command is as plain as that one, which is judged by itself. */
export function isPlainCommand({ words: all, assignments, runs }: CommandPart): boolean {
  if (assignments.length > 0 || all.some(({ dynamic, glob, tilde }) => dynamic || glob || tilde))
    return false;
  if (runs !== undefined) return runs === "all";
  const [name, ...rest] = all.map(({ text }) => text);
  const program = programs.get(name ?? "");
  if (!program) return false;
  const options = rest.filter((word) => word.startsWith("-"));
  const [least, most] = program.words;
  const words = rest.length - options.length;
  return options.every((option) => program.options?.test(option)) && words >= least && words <= most;
}
