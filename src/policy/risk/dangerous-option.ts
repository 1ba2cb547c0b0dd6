import type { ShellWord } from "../shell/shell-word.ts";
import { type Finding, medium } from "./finding.ts";

/** Options that make a program run another, or write where it usually only reads. */
type DangerousOptions = {
  /** Letters, alone or among others after one dash. */
  readonly short?: string;
  readonly long?: readonly string[];
  /** Other words. */
  readonly word?: RegExp;
};

const ssh: DangerousOptions = { short: "oFS", word: /proxycommand|localcommand|knownhostscommand/i };
const rsync: DangerousOptions = { short: "e", long: ["rsh", "rsync-path"] };
const npm: DangerousOptions = {
  long: [
    "script-shell",
    "node-options",
    "prefix",
    "userconfig",
    "globalconfig",
    "shell",
    "dir",
    "cwd",
    "config",
  ],
};
const compiler: DangerousOptions = { word: /^(-fplugin|-B|-wrapper|-specs|--specs|@)/ };

const table: ReadonlyMap<string, DangerousOptions> = new Map<string, DangerousOptions>([
  ["rg", { short: "zL", long: ["pre", "hostname-bin", "search-zip", "follow"] }],
  // Those that follow links would follow one out of the workspace.
  ["grep", { short: "R", long: ["dereference-recursive"] }],
  ["sort", { short: "oT", long: ["output", "compress-program", "temporary-directory", "files0-from"] }],
  [
    "tar",
    {
      short: "IFP",
      long: [
        "to-command",
        "checkpoint-action",
        "use-compress-program",
        "info-script",
        "new-volume-script",
        "rmt-command",
        "rsh-command",
        "absolute-names",
      ],
      word: /^[a-zA-Z]*[IF]/,
    },
  ],
  ["zip", { long: ["unzip-command"], word: /^-T+$/ }],
  ["rsync", rsync],
  ["ssh", ssh],
  ["scp", ssh],
  ["sftp", ssh],
  ["man", { short: "PHC", long: ["pager", "html", "config-file"] }],
  ["bat", { long: ["pager"] }],
  ["batcat", { long: ["pager"] }],
  [
    "curl",
    {
      short: "oOKTDcFd",
      long: [
        "output",
        "output-dir",
        "remote-name",
        "remote-name-all",
        "config",
        "upload-file",
        "dump-header",
        "cookie-jar",
        "form",
        "data",
        "data-binary",
        "data-raw",
        "json",
        "proxy",
        "engine",
      ],
    },
  ],
  [
    "wget",
    {
      short: "OPeioa",
      long: [
        "output-document",
        "directory-prefix",
        "execute",
        "use-askpass",
        "post-file",
        "body-file",
        "config",
      ],
    },
  ],
  ["find", { word: /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls|files0-from)$/ }],
  ["fd", { short: "xXL", long: ["exec", "exec-batch", "follow"] }],
  ["tree", { short: "oRl", long: ["output"] }],
  ["date", { short: "sf", long: ["set", "file"] }],
  ["file", { short: "CmfzZ", long: ["compile", "magic-file", "files-from", "uncompress"] }],
  ["wc", { long: ["files0-from"] }],
  ["du", { long: ["files0-from"] }],
  ["diff", { short: "lr", long: ["paginate", "output", "recursive"] }],
  ["sdiff", { short: "o", long: ["output"] }],
  ["yq", { short: "is", long: ["inplace", "split-exp"] }],
  [
    "jq",
    {
      short: "fL",
      long: ["from-file", "rawfile", "slurpfile", "library-path"],
      word: /\benv\b|\$ENV|input_filename/,
    },
  ],
  ["xxd", { short: "r", long: ["revert"] }],
  ["ps", { short: "E", word: /^[a-zA-Z]*e[a-zA-Z]*$/ }],
  ["printf", { short: "v" }],
  ["test", { word: /^-[vR]$/ }],
  ["[", { word: /^-[vR]$/ }],
  ["[[", { word: /^(-[vR]|-eq|-ne|-lt|-le|-gt|-ge)$/ }],
  ["hostname", { short: "F", word: /^[^-]/ }],
  [
    "make",
    {
      short: "fIE",
      long: ["file", "makefile", "eval", "include-dir"],
      word: /^(SHELL|MAKEFLAGS|\.SHELLFLAGS)/,
    },
  ],
  ["npm", npm],
  ["pnpm", npm],
  ["yarn", npm],
  ["cargo", { long: ["config", "manifest-path"], word: /^\+/ }],
  ["go", { word: /^--?(exec|toolexec|vettool|overlay|modfile)(=|$)/ }],
  ["gcc", compiler],
  ["cc", compiler],
  ["clang", compiler],
  ["g++", compiler],
  ["less", { word: /^/ }],
  ["more", { word: /^/ }],
]);

/** Whether a word says a long option, in full or cut short as many programs allow. */
export function saysLongOption(text: string, names: readonly string[]): boolean {
  const name = /^--([a-zA-Z0-9][^=]*)/.exec(text)?.[1];
  return name !== undefined && names.some((long) => long.startsWith(name));
}

export function saysShortOption(text: string, letters: string): boolean {
  return /^-[^-]/.test(text) && [...letters].some((letter) => text.slice(1).split("=")[0]?.includes(letter));
}

/** Also behind `--`: that may itself be the value of an option. */
export function dangerousOptionFindings(name: string, words: readonly ShellWord[]): readonly Finding[] {
  const options = table.get(name) ?? table.get(name.replace(/^g(?=[a-z])/, ""));
  if (!options) return [];
  const { short = "", long = [], word } = options;
  const findings = words
    .slice(1)
    .filter(({ text }) => saysShortOption(text, short) || saysLongOption(text, long) || word?.test(text))
    .map(({ text }) => medium(`${name} ${text} can run a program, write a file or leave the workspace.`));
  const looksLikeOption = words.slice(1).find(({ text, glob }) => glob && /^[*?[]/.test(text));
  if (looksLikeOption) {
    findings.push(medium(`${looksLikeOption.text} would take a file named like an option for that option.`));
  }
  return findings;
}
