/** How long the shell parser takes to load, and a judgement to be made. Run: node bench/policy.ts */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { PolicyCall } from "../src/policy/policy.ts";
import { RulePolicy } from "../src/policy/rule-policy.ts";
import { rulesOf } from "../src/policy/rules/policy-settings.ts";
import { loadShellParser } from "../src/policy/shell/shell-parser.ts";
import { printTable, spread } from "./table.ts";

const loadsOnce = "--load";
const here = fileURLToPath(import.meta.url);

async function compare(): Promise<void> {
  const loads = Array.from({ length: 10 }, () => {
    const { stdout } = spawnSync(process.execPath, [here, loadsOnce], { encoding: "utf8" });
    return Number(stdout);
  });
  printTable(
    "The shell parser",
    ["", "ms: median (least)"],
    [["loading it in a new process", spread(loads, 1)]],
  );

  const policy = new RulePolicy({
    place: { root: process.cwd(), home: "/home/me" },
    rules: rulesOf(
      { allow: ["run_command(git log *)", "write_file(src/**)"], deny: ["run_command(rm *)"] },
      "user",
    ),
  });
  const rows: string[][] = [];
  for (const [name, call] of calls) rows.push([name, spread(await times(policy, call), 3)]);
  printTable("A judgement", ["", "ms: median (least)"], rows);
}

async function times(policy: RulePolicy, call: PolicyCall): Promise<readonly number[]> {
  const { signal } = new AbortController();
  const measured: number[] = [];
  for (let run = 0; run < 220; run++) {
    const started = performance.now();
    await policy.judge(call, signal);
    if (run >= 20) measured.push(performance.now() - started);
  }
  return measured;
}

const base = { callId: "c", requestId: "r", conversationId: "v", summary: "", riskLevel: "medium" as const };

function command(text: string): PolicyCall {
  return {
    ...base,
    toolId: "run_command",
    toolName: "Run command",
    category: "terminal",
    readOnly: false,
    parameters: { command: text },
  };
}

const calls: readonly (readonly [string, PolicyCall])[] = [
  [
    "write_file src/a.ts, allowed",
    {
      ...base,
      toolId: "write_file",
      toolName: "Write file",
      category: "file_system",
      readOnly: false,
      parameters: { path: "src/a.ts" },
    },
  ],
  ["ls -la src, harmless", command("ls -la src")],
  ["git log -1, allowed by a rule", command("git log -1")],
  ["git log && rm -rf x, denied", command("git log && rm -rf x")],
  ["cd src && npm test, asks with suggestions", command("cd src && npm test")],
  [
    "a pipeline of 8 programs",
    command("cat a | sort | uniq -c | sort -rn | head -5 | cut -c1-9 | tr a b | wc -l"),
  ],
  ["a script of 60 lines", command("if [ -f a ]; then cat a | head -3; else echo none; fi\n".repeat(60))],
  ["9,900 characters in one command", command(`echo ${"word ".repeat(1_980)}`)],
  ["500 commands", command("true;".repeat(499))],
  ["9,900 open brackets", command("(".repeat(9_900))],
];

if (process.argv[2] === loadsOnce) {
  const started = performance.now();
  await loadShellParser();
  process.stdout.write(String(performance.now() - started));
} else {
  await compare();
}
