import type { ShellWord } from "../shell/shell-word.ts";
import { saysLongOption, saysShortOption } from "./dangerous-option.ts";
import { type Finding, medium } from "./finding.ts";

const address = String.raw`(?:\d+|\$|\/[^/\n\\]*\/)`;
const step = String.raw`(?:${address}(?:,[+~]?${address})?)?\s*!?\s*(?:[pdq=Q]|s([/|#,:@])(?:(?!\1)[^\n\\]|\\[^\n])*\1(?:(?!\1)[^\n\\]|\\[^\n])*\1[gpiI0-9]*)`;

/** `sed` programs that only print, delete and replace. The rest can run programs and write files. */
function isPlainSedScript(script: string): boolean {
  // A longer one is nobody's quick look at a file, and matching takes more than its length in time.
  if (script.length > longestSedScript) return false;
  return script
    .split(/[;\n]/)
    .map((each) => each.trim().replaceAll(/\s+/g, " "))
    .every((each) => each === "" || new RegExp(`^${step}$`).test(each));
}

const longestSedScript = 300;
const knownSedOption =
  /^(-[nErsuz]+|-[nErsuz]*e.*|--(quiet|silent|regexp-extended|expression(=.*)?)|[^-].*)$/s;

export function sedFindings(words: readonly ShellWord[]): readonly Finding[] {
  const args = words.slice(1);
  const findings: Finding[] = [];
  const scripts: string[] = [];
  for (const [at, { text }] of args.entries()) {
    if (/^-[a-zA-Z]*i/.test(text) || saysLongOption(text, ["in-place"]))
      findings.push(medium("sed changes the files it is given."));
    if (!knownSedOption.test(text)) findings.push(medium("A sed option is not understood."));
    if (saysShortOption(text, "f") || saysLongOption(text, ["file"]))
      findings.push(medium("sed runs a program from a file."));
    if (/^-[nErszu]*e$/.test(text) || text === "--expression") scripts.push(args[at + 1]?.text ?? "");
    else if (/^-[nErszu]*e./.test(text)) scripts.push(text.replace(/^-[nErszu]*e/, ""));
    else if (text.startsWith("--expression=")) scripts.push(text.slice("--expression=".length));
    else if (saysLongOption(text, ["expression"])) findings.push(medium("A sed option is not understood."));
  }
  const first = args.find(({ text }) => !text.startsWith("-"));
  if (scripts.length === 0 && first) scripts.push(first.text);
  if (!scripts.every(isPlainSedScript))
    findings.push(medium("The sed program may run programs or write files."));
  return findings;
}

export function awkFindings(words: readonly ShellWord[]): readonly Finding[] {
  const args = words.slice(1).map(({ text }) => text);
  const findings: Finding[] = [];
  if (
    args.some(
      (arg) => arg.startsWith("-") && !/^-[vF]|^--(version|help|assign|field-separator)(=|$)/.test(arg),
    )
  )
    findings.push(medium("awk runs a program from a file, or loads more."));
  if (args.some((arg) => /system|getline|[|>@]|ENVIRON|PROCINFO|ARGV/.test(arg)))
    findings.push(medium("The awk program may run programs, write files or read the environment."));
  return findings;
}
