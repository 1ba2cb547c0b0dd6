import type { ShellWord } from "../shell/shell-word.ts";
import { saysLongOption, saysShortOption } from "./dangerous-option.ts";
import { type Finding, high, medium } from "./finding.ts";

const harmlessGlobals: ReadonlySet<string> = new Set([
  "--version",
  "--no-pager",
  "-P",
  "--no-optional-locks",
  "--literal-pathspecs",
  "--glob-pathspecs",
  "--noglob-pathspecs",
  "--icase-pathspecs",
  "--no-replace-objects",
  "--no-lazy-fetch",
]);
const valuedGlobals: ReadonlySet<string> = new Set([
  "-C",
  "-c",
  "--exec-path",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--config-env",
  "--attr-source",
]);

/** Whether an option before the subcommand changes nothing that matters. */
export function isHarmlessGitGlobal(option: string): boolean {
  return harmlessGlobals.has(option);
}

export type GitCommand = {
  /** `git`, the subcommand and the rest, without the options before the subcommand. */
  readonly words: readonly ShellWord[];
  readonly subcommand: string;
  readonly globals: readonly ShellWord[];
  /** Values of `-C`: folders it runs in. */
  readonly folders: readonly ShellWord[];
};

export function readGit(words: readonly ShellWord[]): GitCommand {
  const folders: ShellWord[] = [];
  let at = 1;
  while (at < words.length && words[at]?.text.startsWith("-")) {
    const option = words[at]?.text ?? "";
    const value = words[at + 1];
    if (option === "-C" && value) folders.push(value);
    at += valuedGlobals.has(option) ? 2 : 1;
  }
  const git = words[0];
  const rest = words.slice(at);
  return {
    words: git ? [git, ...rest] : rest,
    subcommand: rest[0]?.dynamic ? "" : (rest[0]?.text ?? ""),
    globals: words.slice(1, at),
    folders,
  };
}

const runningOptions = [
  "output",
  "output-directory",
  "ext-diff",
  "textconv",
  "open-files-in-pager",
  "exec",
  "extcmd",
  "upload-pack",
  "receive-pack",
  "template",
  "config",
  "no-index",
  "show-signature",
  "tool",
  "gui",
  "strategy",
  "paginate",
  "edit",
  "interactive",
  "contents",
  "file",
];

/** What a rule for the subcommand did not have in mind. */
export function gitFindings(git: GitCommand): readonly Finding[] {
  const args = git.words.slice(2);
  const findings: Finding[] = [];
  for (const { text } of git.globals) {
    if (!text.startsWith("-") || text === "-C" || harmlessGlobals.has(text)) continue;
    findings.push(medium(`git ${text} can make git run a program.`));
  }
  const short = git.subcommand === "grep" ? "O" : git.subcommand === "clone" ? "cu" : "";
  for (const { text, glob } of args) {
    if (saysLongOption(text, runningOptions) || saysShortOption(text, short))
      findings.push(medium(`git ${git.subcommand} ${text} can run a program or write a file.`));
    if (/%G/.test(text)) findings.push(medium("A format with %G runs the program that checks signatures."));
    if (glob && /^[*?[]/.test(text))
      findings.push(medium(`${text} would take a file named like an option for that option.`));
    if (/^(ext|fd)::/.test(text)) findings.push(high(`git runs a program for ${text}.`));
  }
  const loss = lossOf(git);
  if (loss) findings.push(high(loss));
  return findings;
}

function lossOf({ subcommand, words }: GitCommand): string | undefined {
  const args = words.slice(2).map(({ text }) => text);
  const has = (short: string, ...long: string[]) =>
    args.some((arg) => saysShortOption(arg, short) || saysLongOption(arg, long));
  const first = args[0];
  switch (subcommand) {
    case "push":
      if (has("fd", "force", "force-with-lease", "force-if-includes", "delete", "mirror", "prune"))
        return "It can overwrite or delete what others have pushed.";
      return args.some((arg) => /^[+:]./.test(arg))
        ? "It can overwrite or delete what others have pushed."
        : undefined;
    case "reset":
      return has("", "hard", "merge", "keep") ? "Changes that are not committed are lost." : undefined;
    case "clean":
      return has("n", "dry-run") ? undefined : "Files that git does not know are deleted for good.";
    case "branch":
      return has("DdMmCf", "delete", "force", "move") ? "Branches are deleted or moved." : undefined;
    case "tag":
      return has("df", "delete", "force") ? "Tags are deleted or moved." : undefined;
    case "checkout":
    case "switch":
      return has("fB", "force", "discard-changes") || args.includes("--") || args.includes(".")
        ? "Changes that are not committed are lost."
        : undefined;
    case "restore":
      return has("S", "staged") && !has("W", "worktree")
        ? undefined
        : "Changes that are not committed are lost.";
    case "stash":
      return /^(drop|clear)$/.test(first ?? "") ? "Stashed changes are lost." : undefined;
    case "rebase":
    case "filter-branch":
    case "filter-repo":
    case "replace":
      return "It rewrites history.";
    case "commit":
      return has("", "amend") ? "It rewrites the last commit." : undefined;
    case "reflog":
      return /^(expire|delete)$/.test(first ?? "")
        ? "It removes what could bring back lost commits."
        : undefined;
    case "gc":
    case "prune":
      return has("", "prune") || subcommand === "prune"
        ? "It removes what could bring back lost commits."
        : undefined;
    case "update-ref":
    case "symbolic-ref":
      return has("dm", "delete", "stdin") || args.length > 1 ? "It moves or deletes references." : undefined;
    case "worktree":
      return has("f", "force") && first === "remove" ? "Changes in the worktree are lost." : undefined;
    case "config":
      return args.length > 1 && !has("l", "get", "get-all", "get-regexp", "list", "show-origin")
        ? "It changes git's settings, which can make git run programs."
        : undefined;
    case "rm":
      return "Files are deleted.";
    default:
      return undefined;
  }
}

const reading: ReadonlySet<string> = new Set(
  `status log diff show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev
  for-each-ref count-objects whatchanged show-ref grep diff-tree diff-index diff-files show-branch cherry version
  check-ignore check-attr`.split(/\s+/),
);

/** Whether it only shows something. Findings count besides. */
export function isReadOnlyGit({ subcommand, words }: GitCommand): boolean {
  const args = words.slice(2).map(({ text }) => text);
  const only = (pattern: RegExp) => args.every((arg) => pattern.test(arg));
  if (reading.has(subcommand)) return !args.includes("--filters");
  switch (subcommand) {
    case "branch":
      return only(
        /^(-[avrq]+|-vv|--all|--remotes|--verbose|--list|--show-current|--no-color|--sort=[\w:-]+)$/,
      );
    case "tag":
      return only(/^(-l|--list|-n\d*|--sort=[\w:-]+)$/);
    case "remote":
      return only(/^(-v|--verbose)$/);
    case "stash":
      return /^(list|show)$/.test(args[0] ?? "");
    case "worktree":
      return args.length === 1 && args[0] === "list";
    case "reflog":
      return args.length === 0 || args[0] === "show";
    default:
      return false;
  }
}
