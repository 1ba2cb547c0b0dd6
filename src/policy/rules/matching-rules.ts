import type { MatchingRules } from "../decide.ts";
import type { LocatedPath } from "../policy-place.ts";
import { isHarmlessGitGlobal, readGit } from "../risk/git-command.ts";
import { commandName } from "../shell/command-name.ts";
import type { CommandPart } from "../shell/shell-part.ts";
import { matchesCommand } from "./command-pattern.ts";
import { matchesHost } from "./host-pattern.ts";
import { matchesPath } from "./path-pattern.ts";
import { matchesTool, type PolicyRule } from "./policy-rule.ts";

/**
 * Rules for a command. One that denies matches however the program is written (`/bin/rm`, `\rm`, `git -C x push` under
 * `git push *`); one that allows only matches the words themselves.
 */
export function rulesForCommand(
  rules: readonly PolicyRule[],
  tool: string,
  part: CommandPart,
  assignsMore: boolean,
): MatchingRules {
  const own = rules.filter((rule) => matchesTool(rule, tool));
  const plain = part.words.map(({ text }) => text);
  const assigned = part.assignments.map(({ name, value }) => `${name}=${value.text}`);
  const known = assignsMore ? [[...assigned, ...plain]] : [plain, ...withoutGitOptions(part)];
  return {
    deny: own.filter((rule) => rule.effect === "deny" && matchesAny(rule, waysToWrite(part, plain))),
    others: own.filter(
      (rule) =>
        rule.effect !== "deny" && matchesAny(rule, rule.effect === "ask" ? waysToWrite(part, plain) : known),
    ),
  };
}

function matchesAny({ pattern }: PolicyRule, ways: readonly (readonly string[])[]): boolean {
  if (!pattern) return true;
  return pattern.kind === "command" && ways.some((words) => matchesCommand(pattern, words));
}

/** `git --no-pager log` is `git log`; an option that changes more makes another command of it. */
function withoutGitOptions(part: CommandPart): readonly (readonly string[])[] {
  if (part.words[0]?.text !== "git") return [];
  const { words, globals } = readGit(part.words);
  return globals.every(({ text }) => isHarmlessGitGlobal(text)) ? [words.map(({ text }) => text)] : [];
}

function waysToWrite(part: CommandPart, plain: readonly string[]): readonly (readonly string[])[] {
  const name = commandName(part.words[0]);
  if (name === undefined) return [plain];
  const rest = plain.slice(1);
  const firstWord = rest.findIndex((word) => !word.startsWith("-"));
  const withoutOptions =
    firstWord > 0
      ? [
          [name, ...rest.slice(firstWord)],
          [name, ...rest.slice(firstWord + 1)],
        ]
      : [];
  const git =
    name === "git"
      ? [
          [
            name,
            ...readGit(part.words)
              .words.slice(1)
              .map(({ text }) => text),
          ],
        ]
      : [];
  const ways = [[name, ...rest], ...withoutOptions, ...git];
  const lower = name.toLowerCase();
  return [plain, ...ways, ...(lower === name ? [] : ways.map(([, ...words]) => [lower, ...words]))];
}

export type PathAccess = {
  /** The tools whose rules speak for it: its own, and `write_file` for every way to write. */
  readonly tools: readonly string[];
  /** Tools whose rules speak for it only where they have no pattern, as `run_command` for a redirection. */
  readonly wholeTools?: readonly string[];
  /** Tools whose rules may only forbid it: `read_file` for every way to read. */
  readonly strictTools?: readonly string[];
};

/** Rules for paths: one that denies or asks matches if it speaks for any of them, one that allows must for all. */
export function rulesForPaths(
  rules: readonly PolicyRule[],
  access: PathAccess,
  paths: readonly LocatedPath[],
  home: string,
): MatchingRules {
  const speaks = (rule: PolicyRule): boolean => {
    const isOf = (tools: readonly string[] = []) => tools.some((tool) => matchesTool(rule, tool));
    if (isOf(access.tools)) return true;
    if (isOf(access.wholeTools)) return rule.pattern === undefined;
    return rule.effect !== "allow" && rule.pattern !== undefined && isOf(access.strictTools);
  };
  const matches = (rule: PolicyRule): boolean => {
    const { pattern } = rule;
    if (!pattern) return true;
    if (pattern.kind !== "path") return false;
    if (rule.effect !== "allow")
      return paths.some((path) => matchesPath(pattern, path, { home, ignoreCase: true }));
    return paths.length > 0 && paths.every((path) => matchesPath(pattern, path, { home }));
  };
  return byEffect(rules.filter((rule) => speaks(rule) && matches(rule)));
}

export function rulesForHost(rules: readonly PolicyRule[], tool: string, host: string): MatchingRules {
  return byEffect(
    rules.filter(
      (rule) =>
        matchesTool(rule, tool) &&
        (!rule.pattern || (rule.pattern.kind === "host" && matchesHost(rule.pattern, host))),
    ),
  );
}

export function rulesForTool(rules: readonly PolicyRule[], tool: string): MatchingRules {
  return byEffect(rules.filter((rule) => !rule.pattern && matchesTool(rule, tool)));
}

function byEffect(rules: readonly PolicyRule[]): MatchingRules {
  return {
    deny: rules.filter(({ effect }) => effect === "deny"),
    others: rules.filter(({ effect }) => effect !== "deny"),
  };
}
