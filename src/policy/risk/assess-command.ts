import { commandName } from "../shell/command-name.ts";
import type { CommandPart } from "../shell/shell-part.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import { type CommandContext, locateWord } from "./command-context.ts";
import { dangerousOptionFindings } from "./dangerous-option.ts";
import { destructiveFindings } from "./destructive-command.ts";
import { assignmentFinding } from "./environment-variable.ts";
import { type Finding, high, medium } from "./finding.ts";
import { type GitCommand, gitFindings, isReadOnlyGit, readGit } from "./git-command.ts";
import { type ReadOnlyKind, readOnlyKind } from "./read-only-command.ts";
import { isControlPath, isSecretGlob, isSecretPath } from "./sensitive-path.ts";
import { awkFindings, sedFindings } from "./text-program.ts";

export type CommandAssessment = {
  /** It only reads, inside of the workspace, and nothing was found. */
  readonly harmless: boolean;
  readonly findings: readonly Finding[];
  /** Words that are paths it reads. */
  readonly reads: readonly ShellWord[];
  /** Why it is not harmless when nothing was found. */
  readonly reason: string;
};

/** What one program with its words may do. */
export function assessCommand(part: CommandPart, context: CommandContext): CommandAssessment {
  const { words, assignments, input } = part;
  const name = commandName(words[0]) ?? "";
  const git = name === "git" ? readGit(words) : undefined;
  const kind = git ? gitKind(git) : readOnlyKind(words);
  const paths = pathWords(words, kind);
  const findings = [
    ...words
      .slice(1)
      .filter(({ dynamic }) => dynamic)
      .map(({ text }) => medium(`${text} is known only when it runs.`)),
    ...assignments.flatMap((each) => assignmentFinding(each) ?? []),
    ...(input?.kind === "dynamic" ? [medium("It is given a text that is known only when it runs.")] : []),
    ...dangerousOptionFindings(name, words),
    ...destructiveFindings(name, words, input),
    ...(git ? gitFindings(git) : []),
    ...(git ? gitSettingsFindings(git, context) : []),
    ...(/^g?sed$/.test(name) ? sedFindings(words) : []),
    ...(/^[gmn]?awk$/.test(name) ? awkFindings(words) : []),
    ...paths.flatMap((word) => pathFindings(word, kind, context)),
    ...writerFindings(name, words, context),
  ];
  const reads = kind === "paths" || kind === "pattern" ? paths : [];
  if (name === "cd") return { ...assessCd(words, context), findings, reads: [] };
  if (kind === undefined) return { harmless: false, findings, reads, reason: reasonFor(name) };
  const outside = (git ? [...paths, ...git.folders] : paths).find((word) =>
    locateWord(word, context).some(({ inside }) => !inside),
  );
  if (outside && kind !== "text") {
    return { harmless: false, findings, reads, reason: `${outside.text} is outside of the workspace.` };
  }
  // A name with a folder is some program in that folder, whatever it is called.
  const isPlainName = words[0]?.text === name;
  const harmless = findings.length === 0 && isPlainName;
  return {
    harmless,
    findings,
    reads,
    reason: isPlainName ? "It only reads." : reasonFor(words[0]?.text ?? ""),
  };
}

/** A repository's own settings come with it, and whoever made it may not be the user. */
function gitSettingsFindings(git: GitCommand, context: CommandContext): readonly Finding[] {
  const { folders, gitRunsPrograms } = context;
  if (!gitRunsPrograms) return [];
  const elsewhere = git.folders.flatMap((word) => locateWord(word, context).map(({ absolute }) => absolute));
  if (![...folders, ...elsewhere].some(gitRunsPrograms)) return [];
  return [{ ...high("The settings of this repository make git run programs."), always: true }];
}

function gitKind(git: GitCommand): ReadOnlyKind | undefined {
  if (git.subcommand === "") return git.words.length === 1 ? "text" : undefined;
  return isReadOnlyGit(git) ? "paths" : undefined;
}

function reasonFor(name: string): string {
  return `${name} is not known to be harmless.`;
}

/** Words that may be paths: all of an unknown program, not those that are known to be text. */
function pathWords(words: readonly ShellWord[], kind: ReadOnlyKind | undefined): readonly ShellWord[] {
  const args = words.slice(1);
  if (kind === "text") return [];
  if (kind !== "pattern") return args;
  const hasPattern = args.some(({ text }) => /^-[a-zA-Z]*[ef]|^--(regexp|file)/.test(text));
  const first = hasPattern ? undefined : args.find(({ text }) => !text.startsWith("-"));
  return args.filter((word) => word !== first);
}

function pathFindings(
  word: ShellWord,
  kind: ReadOnlyKind | undefined,
  context: CommandContext,
): readonly Finding[] {
  const places = locateWord(word, context).map(({ absolute, relative }) => relative ?? absolute);
  // `-g.env`, and git's `HEAD:.env`.
  const within = /^(?:-[a-zA-Z]|[^/]*:)([\s\S]+)$/.exec(word.text)?.[1];
  if (within !== undefined) places.push(within);
  const isSecret = places.some(isSecretPath) || (word.glob && isSecretGlob(word.text));
  if (isSecret) return [high(`${word.text} may hold keys or passwords.`)];
  if (kind === undefined && places.some(isControlPath))
    return [high(`${word.text} decides what runs later without being asked.`)];
  return [];
}

const writers =
  /^(cp|mv|ln|install|tee|touch|mkdir|rmdir|rm|unlink|truncate|dd|split|csplit|rsync|scp|unzip|tar|gzip|gunzip|chmod|patch|shred)$/;

function writerFindings(
  name: string,
  words: readonly ShellWord[],
  context: CommandContext,
): readonly Finding[] {
  if (!writers.test(name)) return [];
  return words
    .slice(1)
    .filter((word) => locateWord(word, context).some(({ inside }) => !inside))
    .map(({ text }) => medium(`${text} is outside of the workspace.`));
}

/** Into the workspace, by a path that is written out. */
function assessCd(
  words: readonly ShellWord[],
  context: CommandContext,
): Pick<CommandAssessment, "harmless" | "reason"> {
  const target = words.find(({ text }, at) => at > 0 && !/^(--|-[LPe@]+)$/.test(text));
  if (!target || target.text === "-" || words.length > 3)
    return { harmless: false, reason: "Where it leads is not in the workspace." };
  const isStatic = !target.dynamic && !target.glob;
  const inside = locateWord(target, context).every((place) => place.inside);
  return isStatic && inside
    ? { harmless: true, reason: "It stays in the workspace." }
    : { harmless: false, reason: `${target.text} is outside of the workspace.` };
}
