import type { ShellWord } from "./shell-word.ts";

export type Assignment = { readonly name: string; readonly value: ShellWord };

/** Where a command's standard input comes from, when the text says so. */
export type CommandInput =
  | { readonly kind: "pipe"; readonly from: readonly string[] }
  | { readonly kind: "text"; readonly text: string }
  /** A text in the command that is known only when it runs. */
  | { readonly kind: "dynamic" }
  | { readonly kind: "other" };

/** A program, or a builtin of the shell, with its words: the first is its name. */
export type CommandPart = {
  readonly kind: "command";
  readonly text: string;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly Assignment[];
  readonly input?: CommandInput;
  /**
   * What it runs stands among the parts as well. `all`: it does nothing else. `some`: it does more, or what it runs is
   * not known exactly.
   */
  readonly runs?: "all" | "some";
  /** What follows runs only if this has worked, and in the same shell: a `cd` here decides where. */
  readonly leads?: true;
};

/** Something a command line would do: each is judged by itself. */
export type ShellPart =
  | CommandPart
  | { readonly kind: "write" | "read"; readonly text: string; readonly path: ShellWord }
  /** Variables set for the commands after it. */
  | { readonly kind: "assign"; readonly text: string; readonly assignments: readonly Assignment[] }
  | { readonly kind: "unreadable"; readonly text: string; readonly reason: string };
