import { commandName } from "./command-name.ts";
import type { Assignment } from "./shell-part.ts";
import { type ShellWord, staticWord, unknownWord } from "./shell-word.ts";

/** What a program that runs other programs would run. */
export type Wrapped =
  | {
      readonly kind: "command";
      readonly words: readonly ShellWord[];
      readonly assignments: readonly Assignment[];
      /** The wrapper does nothing else that matters. */
      readonly transparent: boolean;
    }
  /** The word is a program in the shell's language. */
  | { readonly kind: "script"; readonly word: ShellWord; readonly transparent: boolean }
  /** Somewhere among these words. */
  | { readonly kind: "unclear"; readonly words: readonly ShellWord[] };

type Wrapper = {
  /** Options with a value, as letters, and flags. */
  readonly valued?: string;
  readonly flags?: string;
  readonly longValued?: readonly string[];
  readonly longFlags?: readonly string[];
  /** How many words stand before the command: a duration, a root folder. */
  readonly before?: number;
  readonly assignments?: boolean;
  readonly transparent?: boolean;
  /** Gives the command more words that are known only when it runs. */
  readonly appends?: boolean;
  /** Hands the words to a shell. */
  readonly asScript?: boolean;
  /** Options whose value is a script. */
  readonly scripts?: readonly string[];
  /** Options with which nothing is run. */
  readonly idle?: string;
};

const timeout: Wrapper = {
  valued: "ks",
  flags: "fpv",
  longValued: ["kill-after", "signal"],
  longFlags: ["foreground", "preserve-status", "verbose"],
  before: 1,
  transparent: true,
};
const sudo: Wrapper = {
  valued: "CDghpRrTtUu",
  flags: "AbBEHknPSsi",
  longValued: ["user", "group", "host", "prompt", "chdir", "chroot", "role", "type", "command-timeout"],
  longFlags: ["preserve-env", "set-home", "login", "shell", "non-interactive", "stdin", "background"],
  assignments: true,
};
const su: Wrapper = {
  before: 1,
  valued: "cgGsw",
  flags: "lmpfP",
  scripts: ["c", "command", "session-command"],
};

const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "env",
    {
      valued: "uS",
      flags: "i0v",
      longValued: ["unset", "split-string"],
      longFlags: ["ignore-environment", "null", "debug"],
      scripts: ["S", "split-string"],
      assignments: true,
      transparent: true,
    },
  ],
  ["sudo", sudo],
  ["doas", { valued: "Cu", flags: "ns" }],
  ["su", su],
  ["runuser", { ...su, valued: "cgGswu" }],
  ["timeout", timeout],
  ["nohup", { transparent: true }],
  ["setsid", { flags: "cfw", longFlags: ["ctty", "fork", "wait"], transparent: true }],
  ["nice", { valued: "n", flags: "0123456789", longValued: ["adjustment"], transparent: true }],
  [
    "ionice",
    {
      valued: "cnpPu",
      flags: "t",
      longValued: ["class", "classdata"],
      longFlags: ["ignore"],
      transparent: true,
      idle: "pPu",
    },
  ],
  ["chrt", { valued: "TPD", flags: "bfior", before: 1, transparent: true }],
  ["taskset", { flags: "ac", longFlags: ["all-tasks", "cpu-list"], before: 1, transparent: true }],
  ["stdbuf", { valued: "ioe", longValued: ["input", "output", "error"], transparent: true }],
  ["time", { flags: "pvq", longFlags: ["portability", "verbose", "quiet"], transparent: true }],
  ["coproc", {}],
  ["command", { flags: "pvV", transparent: true, idle: "vV" }],
  ["builtin", { transparent: true }],
  ["exec", { valued: "a", flags: "cl", transparent: true }],
  ["chroot", { longValued: ["userspec", "groups"], longFlags: ["skip-chdir"], before: 1 }],
  ["caffeinate", { valued: "tw", flags: "disum", transparent: true }],
  ["busybox", {}],
  ["toybox", {}],
  [
    "xargs",
    {
      valued: "adEILnPs",
      flags: "0oprtxeil",
      longValued: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars", "process-slot-var"],
      longFlags: [
        "null",
        "open-tty",
        "interactive",
        "no-run-if-empty",
        "verbose",
        "exit",
        "max-lines",
        "replace",
      ],
      appends: true,
    },
  ],
  [
    "watch",
    {
      valued: "nq",
      flags: "bcCdegprtwx",
      longValued: ["interval", "equexit"],
      longFlags: [
        "differences",
        "beep",
        "color",
        "errexit",
        "chgexit",
        "no-title",
        "exec",
        "no-wrap",
        "precise",
      ],
      asScript: true,
    },
  ],
  [
    "flock",
    {
      valued: "wEc",
      flags: "sxuneoFv",
      longFlags: ["shared", "exclusive", "unlock", "nonblock", "close", "no-fork"],
      before: 1,
      scripts: ["c", "command"],
    },
  ],
]);

/** Programs that run what stands among their words, in ways too many to know. */
const looseWrappers: ReadonlySet<string> = new Set(
  `parallel strace ltrace gdb valgrind perf script unshare nsenter setpriv bwrap firejail proxychains proxychains4
  torsocks tsocks unbuffer chronic catchsegv xvfb-run dbus-run-session systemd-run faketime setarch fakeroot prlimit
  numactl cgexec eatmydata pkexec run0 direnv mise asdf rtx npx pnpx bunx uvx pipx poetry pipenv uv bundle rlwrap
  entr watchexec nodemon concurrently dotenv hyperfine ssh docker podman kubectl nix-shell expect osascript start
  linux32 linux64 i386 x86_64 setuidgid softlimit chpst daemonize start-stop-daemon at batch doppler op aws-vault`.split(
    /\s+/,
  ),
);

/** Nothing when the program is not known to run others. */
export function wrappedCommand(words: readonly ShellWord[]): Wrapped | undefined {
  const name = commandName(words[0]);
  if (name === undefined) return undefined;
  const plain = wrappers.has(name) ? name : name.replace(/^g(?=timeout|nice|env|xargs|stdbuf|nohup)/, "");
  const wrapper = wrappers.get(plain);
  if (wrapper) return unwrap(words, wrapper);
  return looseWrappers.has(name) ? { kind: "unclear", words: words.slice(1) } : undefined;
}

function unwrap(words: readonly ShellWord[], wrapper: Wrapper): Wrapped | undefined {
  const unclear: Wrapped = { kind: "unclear", words: words.slice(1) };
  const transparent = wrapper.transparent === true;
  let before = wrapper.before ?? 0;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at];
    if (!word || word.dynamic || word.glob) break;
    if (word.text === "--") {
      at++;
      break;
    }
    if (!/^-./.test(word.text)) {
      if (before === 0) break;
      before--;
      continue;
    }
    const option = readOption(word.text, wrapper);
    if (option === undefined) return unclear;
    if (wrapper.idle?.includes(option.name)) return undefined;
    const value = option.attached === undefined ? words[at + 1] : staticWord(option.attached);
    if (wrapper.scripts?.includes(option.name)) {
      return value ? { kind: "script", word: value, transparent: false } : unclear;
    }
    if (option.takesNext) {
      // A value that stands for several words, or for none, moves all that follow.
      if (value?.dynamic || value?.glob) return unclear;
      at++;
    }
  }
  at += before;
  const assignments: Assignment[] = [];
  for (; wrapper.assignments && at < words.length; at++) {
    const word = words[at];
    const found = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word?.text ?? "");
    if (!word || !found?.[1]) break;
    assignments.push({ name: found[1], value: { ...word, text: found[2] ?? "" } });
  }
  const inner = words.slice(at);
  if (inner.length === 0 && !wrapper.appends) return undefined;
  if (wrapper.asScript) {
    const text = inner.map((word) => word.text).join(" ");
    return { kind: "script", word: { ...staticWord(text), dynamic: inner.some(isDynamic) }, transparent };
  }
  if (inner.some(isDynamicFirst)) return unclear;
  const more = wrapper.appends ? [unknownWord("…")] : [];
  const command = inner.length === 0 ? [staticWord("echo")] : inner;
  return { kind: "command", words: [...command, ...more], assignments, transparent };
}

const isDynamic = (word: ShellWord): boolean => word.dynamic || word.glob;
const isDynamicFirst = (word: ShellWord, at: number): boolean => at === 0 && isDynamic(word);

type ReadOption = { readonly name: string; readonly attached?: string; readonly takesNext: boolean };

/** Nothing for an option that is not known: whether the next word belongs to it is not known either. */
function readOption(text: string, wrapper: Wrapper): ReadOption | undefined {
  const long = /^--([^=]+)(?:=([\s\S]*))?$/.exec(text);
  if (long?.[1]) {
    const [, name, value] = long;
    const valued = wrapper.longValued?.includes(name) || wrapper.scripts?.includes(name);
    if (value !== undefined && valued) return { name, attached: value, takesNext: false };
    if (valued) return { name, takesNext: true };
    return wrapper.longFlags?.includes(name) ? { name, takesNext: false } : undefined;
  }
  let name = "";
  for (let at = 1; at < text.length; at++) {
    name = text.charAt(at);
    if (wrapper.valued?.includes(name)) {
      const attached = text.slice(at + 1);
      return attached === "" ? { name, takesNext: true } : { name, attached, takesNext: false };
    }
    if (wrapper.idle?.includes(name)) return { name, takesNext: false };
    if (!wrapper.flags?.includes(name)) return undefined;
  }
  return { name, takesNext: false };
}
