import type { ShellWord } from "../shell/shell-word.ts";

/**
 * What the words of a command that only reads are. `paths`: files and folders. `pattern`: the first is none, the others
 * are. `text`: none are.
 */
export type ReadOnlyKind = "paths" | "pattern" | "text";

const commands: ReadonlyMap<string, ReadOnlyKind> = new Map<string, ReadOnlyKind>([
  ...each(
    `ls cat head tail wc stat du df file tree md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum nl tac
    rev fold cut paste join comm cmp diff od hexdump xxd strings base64 base32 column expand unexpand fmt realpath
    readlink sort uniq find zcat bzcat xzcat`,
    "paths",
  ),
  ...each("grep egrep fgrep rg jq sed awk gawk mawk fd", "pattern"),
  ...each(
    `echo printf true false : pwd whoami id groups uname arch nproc uptime date seq tr basename dirname which type test [ [[ ((
    locale hostname exit return break continue shift wait sleep ps free cal`,
    "text",
  ),
]);

function each(names: string, kind: ReadOnlyKind): readonly (readonly [string, ReadOnlyKind])[] {
  return names.split(/\s+/).map((name) => [name, kind]);
}

const withVersion: ReadonlySet<string> = new Set(
  `node npm npx pnpm yarn bun deno tsc python python3 pip pip3 ruby gem go cargo rustc rustup java javac gcc g++ clang cmake make
  docker kubectl git gh rg vitest eslint biome prettier bash`.split(/\s+/),
);

const findTests: ReadonlySet<string> = new Set(
  `name iname path ipath wholename iwholename regex iregex regextype type xtype maxdepth mindepth size empty newer anewer cnewer mtime
  mmin atime amin ctime cmin perm user group uid gid nouser nogroup links inum samefile readable writable executable
  not a o and or prune print print0 printf ls quit true false depth d xdev mount daystart follow L H P noleaf
  ignore_readdir_race warn nowarn`.split(/\s+/),
);

/** Nothing for what may do more than read. Findings count besides. */
export function readOnlyKind(words: readonly ShellWord[]): ReadOnlyKind | undefined {
  const [program, ...rest] = words;
  const name = program?.text ?? "";
  const args = rest.map(({ text }) => text);
  if (withVersion.has(name) && args.length === 1 && /^(--version|-v|-V|version)$/.test(args[0] ?? ""))
    return "text";
  if (name === "set")
    return args.length > 0 && args.every((arg) => /^[-+][euxo]+$|^pipefail$/.test(arg)) ? "text" : undefined;
  if (name === "command") return /^-[vV]$/.test(args[0] ?? "") ? "text" : undefined;
  if (name === "trap") return args.length === 0 || /^(-[lp]?|)$/.test(args[0] ?? "") ? "text" : undefined;
  const kind = commands.get(name);
  const operands = args.filter((arg) => !arg.startsWith("-"));
  if (name === "uniq" || name === "xxd") return operands.length <= 1 ? kind : undefined;
  if (name === "find") {
    return args.every((arg) => !arg.startsWith("-") || findTests.has(arg.slice(1)) || /^-(\d|O\d)/.test(arg))
      ? kind
      : undefined;
  }
  return kind;
}
