import { isShell } from "../shell/inner-commands.ts";
import type { CommandInput } from "../shell/shell-part.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import { saysLongOption, saysShortOption } from "./dangerous-option.ts";
import { type Finding, high, medium } from "./finding.ts";

const interpreters =
  /^(python[\d.]*|pypy\d?|node|nodejs|deno|bun|tsx|ts-node|perl[\d.]*|ruby[\d.]*|php[\d.]*|lua[\d.]*|luajit|Rscript|julia|groovy|jshell|scala|ghci|runghc|erl|elixir|iex|tclsh|wish|osascript|jjs|irb|ipython\d?|swipl|guile|racket|sbcl|octave|gnuplot|bc|dc|sqlite3|psql|mysql|mongosh?|redis-cli)$/;

const warnings: ReadonlyMap<string, string> = new Map([
  ...each("sudo doas su runuser pkexec run0", "It runs with the rights of another user."),
  ...each("shred wipe srm", "Files are destroyed for good."),
  ...each(
    "fdisk sfdisk parted gdisk wipefs mkswap swapoff cryptsetup lvremove vgremove diskutil hdparm blkdiscard",
    "It changes disks.",
  ),
  ...each("mount umount losetup", "It changes what is mounted."),
  ...each("shutdown reboot halt poweroff init telinit", "It stops the machine."),
  ...each("kill killall pkill xkill", "It ends other processes."),
  ...each("systemctl service launchctl sc", "It changes services of the system."),
  ...each("crontab at batch", "It makes programs run later."),
  ...each(
    "useradd userdel usermod groupadd passwd chpasswd visudo adduser deluser dscl",
    "It changes users.",
  ),
  ...each("iptables ip6tables nft ufw firewall-cmd route ifconfig", "It changes the network."),
  ...each("chown chgrp setfacl chattr setcap setfattr icacls takeown", "It changes who may use files."),
  ...each("nc ncat netcat socat telnet", "It opens a connection that can carry anything."),
  ...each("printenv", "It prints the environment, where keys and passwords are."),
  ...each("source .", "It runs another file in the shell."),
  ...each("eval", "It runs a text as commands."),
  ...each("insmod rmmod modprobe sysctl kexec", "It changes the running system."),
  ...each("vi vim nvim view ex ed emacs nano", "An editor can run programs and waits for keys."),
  ...each("history fc", "It shows commands of the past, which may hold secrets."),
  ...each("security secret-tool pass gpg gpg2 op keyring", "It reads keys and passwords."),
  ...each(
    "enable bind complete compgen mapfile readarray alias shopt",
    "It changes how the shell runs commands.",
  ),
]);

function each(names: string, warning: string): readonly (readonly [string, string])[] {
  return names.split(" ").map((name) => [name, warning]);
}

const publishing =
  /^(npm|pnpm|yarn|bun) (publish|unpublish|deprecate|owner|access|token|login|adduser)|^cargo (publish|yank|login|owner)|^gem (push|yank)|^twine upload|^gh (repo delete|release (create|delete)|secret|auth|api)|^terraform (apply|destroy)|^kubectl (delete|apply|exec|drain)|^helm (install|upgrade|uninstall)|^docker (system prune|volume (rm|prune)|rm|rmi|run|exec|push)|^podman (system prune|rm|run|exec)|^aws |^gcloud |^az /;

/** What a command can destroy, change for others or give away, in words. Git's are elsewhere. */
export function destructiveFindings(
  name: string,
  words: readonly ShellWord[],
  input: CommandInput | undefined,
): readonly Finding[] {
  const args = words.slice(1).map(({ text }) => text);
  const has = (short: string, ...long: string[]) =>
    args.some((arg) => saysShortOption(arg, short) || saysLongOption(arg, long));
  const findings: Finding[] = [];
  const warning = warnings.get(name);
  if (warning) findings.push(high(warning));
  if (/^(mkfs|newfs|mke2fs)/.test(name)) findings.push(high("It formats a disk."));
  if (name === "rm" && has("rR", "recursive"))
    findings.push(high("It deletes folders with all that is in them."));
  else if (name === "rm" || name === "unlink" || name === "truncate")
    findings.push(high("It deletes what is in files."));
  if (name === "dd") findings.push(high("It writes raw data, to disks as well."));
  if (
    name === "chmod" &&
    (has("R", "recursive") ||
      args.some((arg) => /^([0-7]*[2367]|[ugoa]*[+=][rwxXst]*[ws][rwxXst]*|[2467][0-7]{3})$/.test(arg)))
  )
    findings.push(high("It changes who may use files."));
  if (publishing.test(`${name} ${args.join(" ")}`))
    findings.push(high("It changes something others use, or runs it elsewhere."));
  if (printsEnvironment(name, args))
    findings.push(high("It prints the environment, where keys and passwords are."));
  return [...findings, ...programFindings(name, args, input)];
}

function printsEnvironment(name: string, args: readonly string[]): boolean {
  switch (name) {
    case "env":
    case "set":
      return args.length === 0 || (name === "env" && args.every((arg) => /^-|=/.test(arg)));
    case "export":
    case "declare":
    case "typeset":
    case "readonly":
      return args.every((arg) => /^-/.test(arg));
    default:
      return false;
  }
}

/** Programs in a language of their own: in their words, in a file, or in what they are fed. */
function programFindings(
  name: string,
  args: readonly string[],
  input: CommandInput | undefined,
): readonly Finding[] {
  const interprets = interpreters.test(name);
  if (!interprets && !isShell(name)) return [];
  const operand = args.find((arg) => !/^[-+]./.test(arg));
  const inline = args.some((arg) =>
    /^-[a-zA-Z]*[cepEr]$|^--?(eval|print|exec|execute|command)\b|^eval$/.test(arg),
  );
  if (interprets && inline) return [medium(`It is a program for ${name}, written in the command.`)];
  if (isShell(name) && inline) return [];
  const readsInput = operand === undefined || operand === "-";
  if (!readsInput) return [];
  if (args.some((arg) => /^(-v|-V|--version|--help)$/.test(arg))) return [];
  if (input?.kind === "pipe") {
    const isDownload = input.from.some((text) =>
      /\b(curl|wget|fetch|aria2c|lwp-request|nc|ncat|socat)\b/.test(text),
    );
    const what = isDownload ? "what was downloaded just now, and nobody has read it" : "whatever it is fed";
    return [{ ...high(`${name} runs ${what}.`), always: true }];
  }
  if (isShell(name) && input?.kind === "text") return [];
  return [medium(`${name} runs what it reads.`)];
}
