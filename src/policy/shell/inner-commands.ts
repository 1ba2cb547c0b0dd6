import { commandName } from "./command-name.ts";
import type { CommandInput } from "./shell-part.ts";
import { type ShellWord, staticWord, unknownWord } from "./shell-word.ts";
import { type Wrapped, wrappedCommand } from "./wrapped-command.ts";

/** Whose `-c` takes what we can read, and those that speak another language. */
const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "ash", "ksh", "mksh", "rbash"]);
const otherShells: ReadonlySet<string> = new Set([
  "zsh",
  "fish",
  "csh",
  "tcsh",
  "pwsh",
  "powershell",
  "cmd",
  "nu",
]);

/** What a command runs besides itself: programs in its words, scripts in its texts. */
export function innerCommands(words: readonly ShellWord[], input?: CommandInput): readonly Wrapped[] {
  const name = commandName(words[0]);
  if (name === undefined) return [];
  if (shells.has(name) || otherShells.has(name)) return shellScript(words, input, shells.has(name));
  switch (name) {
    case "eval": {
      const rest = words.slice(words[1]?.text === "--" ? 2 : 1);
      if (rest.length === 0) return [];
      return [{ kind: "script", word: joinWords(rest), transparent: true }];
    }
    case "trap":
      return trapScript(words);
    case "find":
    case "gfind":
      return findCommands(words);
    case "fd":
    case "fdfind":
      return afterOption(words, /^(-[a-zA-Z]*[xX]|--exec|--exec-batch)$/);
    case "git":
      return gitCommands(words);
    default: {
      const wrapped = wrappedCommand(words);
      return wrapped ? [wrapped] : [];
    }
  }
}

export function isShell(name: string): boolean {
  return shells.has(name) || otherShells.has(name);
}

function shellScript(
  words: readonly ShellWord[],
  input: CommandInput | undefined,
  readable: boolean,
): readonly Wrapped[] {
  let isScript = false;
  let readsInput = false;
  let transparent = readable;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at];
    if (!word) break;
    if (word.dynamic || word.glob) return [{ kind: "unclear", words: words.slice(at) }];
    if (word.text === "--" || word.text === "-") {
      at++;
      break;
    }
    if (/^--/.test(word.text)) {
      if (/^--(rcfile|init-file)$/.test(word.text)) at++;
      if (!/^--(login|posix|noprofile|norc)$/.test(word.text)) transparent = false;
      continue;
    }
    if (!/^[-+]./.test(word.text)) break;
    if (word.text.startsWith("-") && word.text.includes("c")) isScript = true;
    if (word.text.includes("s")) readsInput = true;
    if (!/^[-+][celuxvnsoO]+$/.test(word.text)) transparent = false;
    if (/[oO]$/.test(word.text)) at++;
  }
  const first = words[at];
  if (isScript) return first ? [{ kind: "script", word: first, transparent }] : [];
  if ((first === undefined || readsInput) && input?.kind === "text") {
    return [{ kind: "script", word: staticWord(input.text), transparent }];
  }
  return [];
}

function joinWords(words: readonly ShellWord[]): ShellWord {
  const text = words.map((word) => word.text).join(" ");
  return { ...staticWord(text), dynamic: words.some((word) => word.dynamic || word.glob) };
}

function trapScript(words: readonly ShellWord[]): readonly Wrapped[] {
  const at = words[1]?.text === "--" ? 2 : 1;
  const script = words[at];
  // `trap - EXIT` and `trap '' EXIT` take a trap away; `trap -p` and `trap` list them.
  if (!script || words.length === at + 1 || /^(-[lp]?|)$/.test(script.text)) return [];
  return [{ kind: "script", word: script, transparent: false }];
}

/** `find … -exec program … ;`: the names it finds are words known only when it runs. */
function findCommands(words: readonly ShellWord[]): readonly Wrapped[] {
  const found: Wrapped[] = [];
  for (let at = 1; at < words.length; at++) {
    if (!/^-(exec|execdir|ok|okdir)$/.test(words[at]?.text ?? "")) continue;
    const inner: ShellWord[] = [];
    for (at++; at < words.length; at++) {
      const word = words[at];
      if (!word || word.text === ";" || (word.text === "+" && inner.at(-1)?.text === "{}")) break;
      inner.push(word.text.includes("{}") ? unknownWord(word.text) : word);
    }
    if (inner.length > 0) found.push({ kind: "command", words: inner, assignments: [], transparent: false });
  }
  return found;
}

function afterOption(words: readonly ShellWord[], option: RegExp): readonly Wrapped[] {
  const at = words.findIndex((word) => option.test(word.text));
  return at === -1 ? [] : [{ kind: "unclear", words: words.slice(at + 1) }];
}

/** `git bisect run …`, `git submodule foreach …`, `git rebase --exec …`. */
function gitCommands(words: readonly ShellWord[]): readonly Wrapped[] {
  for (let at = 1; at < words.length; at++) {
    const text = words[at]?.text ?? "";
    const next = words[at + 1];
    if (/^(run|foreach)$/.test(text) && /^(bisect|submodule)$/.test(words[at - 1]?.text ?? "")) {
      const rest = words.slice(at + 1).filter((word) => !/^--(recursive|quiet)$/.test(word.text));
      return [{ kind: "script", word: joinWords(rest), transparent: false }];
    }
    if (
      /^(-x|--exec|--extcmd|--upload-pack|--receive-pack|--tree-filter|--index-filter|--msg-filter)$/.test(
        text,
      )
    )
      return next ? [{ kind: "script", word: next, transparent: false }] : [];
  }
  return [];
}
