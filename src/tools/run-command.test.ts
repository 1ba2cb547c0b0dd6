import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { Workspace } from "../workspace/workspace.ts";
import { JobTable } from "./command/job-table.ts";
import { jobsTool } from "./jobs.ts";
import { runCommandTool } from "./run-command.ts";
import { processesWith, waitForProcesses } from "./testing/processes.ts";
import { argsOf, call, riskOf, TemporaryFolder } from "./testing/tool-kit.ts";
import type { ToolContext } from "./tool.ts";

let folder: TemporaryFolder;
let workspace: Workspace;
let jobs: JobTable;
beforeAll(async () => {
  folder = new TemporaryFolder();
  workspace = await Workspace.open(folder.path, [join(folder.above, "output")]);
});
afterAll(() => folder[Symbol.dispose]());
beforeEach(() => {
  jobs = new JobTable({ outputFolder: join(folder.above, "output"), graceMs: 300 });
});
afterEach(() => jobs[Symbol.asyncDispose]());

const run = (parameters: JsonObject, context: Partial<ToolContext> = {}, options = {}) =>
  call(runCommandTool({ workspace, jobs, headStartMs: 50, ...options }), parameters, context);
const withoutTime = (text: string) => text.replace(/, [\d.]+ s\./, ".");

/** A time no other process sleeps, to find it by. */
let sleeps = 0;
const uniqueSleep = () => `sleep 98${process.pid}.${++sleeps}`;

describe("run_command", () => {
  test("runs in the workspace and gives output, errors in their place, and how it ended", async () => {
    const { ok, content, data } = await run({ command: "pwd; echo err >&2; echo out" });
    expect([ok, withoutTime(content)]).toEqual([true, `${folder.path}\nerr\nout\n\n(exit code 0.)`]);
    expect(data).toMatchObject({ exitCode: 0, signal: null, stopped: null, outputFile: null });
  });

  test("tells a failure and a signal", async () => {
    const failure = await run({ command: "echo no >&2; exit 3" });
    expect([failure.ok, withoutTime(failure.content)]).toEqual([false, "no\n\n(exit code 3.)"]);
    expect(withoutTime((await run({ command: "kill -9 $$" })).content)).toContain("ended by SIGKILL.");
    expect((await run({ command: "not-a-command-at-all" })).content).toContain("command not found");
    expect((await run({ command: "if then" })).content).toContain("syntax error");
  });

  test.each(["cat", "read line; echo got:$line", "python3 -c 'input()' || bash -i -c 'read x </dev/tty'"])(
    "a command that wants input ends: %s",
    async (command) => {
      const { content } = await run({ command, timeout: 10 });
      expect(content).not.toContain("Stopped");
    },
  );

  test("says that there was no input when nothing was printed", async () => {
    expect(withoutTime((await run({ command: "cat" })).content)).toBe(
      "(It printed nothing; it had no input. exit code 0.)",
    );
  });

  test("says so, too, when it seems to have been asked for some", async () => {
    const { content } = await run({ command: "printf 'Name? '; read name" });
    expect(withoutTime(content)).toBe("Name?\n\n(It had no input. exit code 1.)");
  });

  test("hides keys from it, and nothing else", async () => {
    const env = { ...process.env, OPENAI_API_KEY: "k1", MY_DB_PASSWORD: "k2", NAMED: "k3", HARMLESS: "here" };
    const { content } = await run({ command: "env" }, {}, { env, secretVariables: ["NAMED"] });
    expect(content).toContain("HARMLESS=here");
    expect(content).not.toMatch(/OPENAI_API_KEY|MY_DB_PASSWORD|NAMED|=k\d/);
  });

  test("makes what a terminal would obey harmless", async () => {
    const { content } = await run({ command: "printf '\\033[31mred\\033[0m\\033]52;c;eA==\\a\\xff\\n'" });
    expect(withoutTime(content)).toBe("red\\x1b]52;c;eA==\\x07\ufffd\n\n(exit code 0.)");
  });

  test("does not run a program that a repository's configuration names", async () => {
    execFileSync("git", ["init", "-q"], { cwd: folder.path });
    const touched = join(folder.above, "touched");
    execFileSync("git", ["config", "core.fsmonitor", `touch ${touched}; false`], { cwd: folder.path });
    execFileSync("git", ["config", "core.pager", `touch ${touched}; cat`], { cwd: folder.path });
    expect((await run({ command: `git status; git log; test -e ${touched}` })).data).toMatchObject({
      exitCode: 1,
    });
  });

  test("keeps the beginning and the end of long output, and the whole in a file", async () => {
    const { content, data } = await run({ command: "seq 1 200000" });
    expect(content.length).toBeLessThan(32_000);
    expect(content).toMatch(/^1\n2\n/);
    expect(content).toContain("\n200000\n");
    const file = String(Reflect.get(Object(data), "outputFile"));
    expect(content).toContain(file);
    expect(readFileSync(file, "utf8").split("\n")).toHaveLength(200_001);
    expect((await workspace.resolve(file)).relative).toBe(file);
  });

  test("reports what it prints while it runs", async () => {
    const seen: string[] = [];
    const gate = join(folder.path, "gate");
    const running = run(
      { command: `echo first; while ! test -e ${gate}; do sleep 0.01; done; echo second`, timeout: 20 },
      {
        reportProgress: ({ message = "" }) => {
          if (message.includes("first") && seen.length === 0) writeFileSync(gate, "");
          seen.push(message);
        },
      },
    );
    expect((await running).ok).toBe(true);
    expect(seen[0]).toBe("first\n");
    expect(seen.at(-1)).toBe("first\nsecond\n");
  });

  test("does not start what a sandbox refuses, and starts what it makes of the command", async () => {
    await using broken = new JobTable({
      wrapCommand: () => {
        throw new Error("bwrap is missing");
      },
    });
    const marker = join(folder.path, "ran");
    const refused = await run({ command: `touch ${marker}` }, {}, { jobs: broken });
    expect(refused).toMatchObject({ ok: false, content: "The command was not started: bwrap is missing" });
    await using wrapped = new JobTable({
      wrapCommand: (line) => ({
        ...line,
        file: "/usr/bin/env",
        args: ["WRAPPED=yes", line.file, ...line.args],
      }),
    });
    expect(
      (await run({ command: `echo $WRAPPED; test -e ${marker}` }, {}, { jobs: wrapped })).content,
    ).toMatch(/^yes\n\n\(exit code 1/);
    await using missing = new JobTable({ wrapCommand: (line) => ({ ...line, file: "/nowhere/bwrap" }) });
    expect((await run({ command: "true" }, {}, { jobs: missing })).content).toContain("was not started");
  });

  test("says in one line what it runs, and asks for the risk who knows", () => {
    const tool = runCommandTool({ workspace, jobs });
    expect(tool.summarize(argsOf(tool, { command: "ls\nrm x" }))).toBe("Run: ls … (2 lines)");
    expect(tool.detailsOf?.(argsOf(tool, { command: "ls\nrm x" }))).toEqual(["Command: ls\nrm x"]);
    expect(riskOf(tool, { command: "ls" })).toBe("high");
    const knowing = runCommandTool({
      workspace,
      jobs,
      riskOfCommand: (command) => (command === "ls" ? "safe" : "high"),
    });
    expect(riskOf(knowing, { command: "ls" })).toBe("safe");
    expect(tool.touches).toBeUndefined();
  });
});

describe.skipIf(process.platform !== "linux")("no process is left", () => {
  const ways: [string, (sleep: string) => string][] = [
    ["in the background", (sleep) => `${sleep} & echo started`],
    ["in a session of its own", (sleep) => `setsid ${sleep} & sleep 0.2; echo started`],
    [
      "without the environment",
      (sleep) => `env -i setsid ${sleep} >/dev/null 2>&1 & sleep 0.2; echo started`,
    ],
    [
      "without open files",
      (sleep) => `(setsid ${sleep} 3>&- >/dev/null 2>&1 </dev/null &) ; sleep 0.2; echo started`,
    ],
    [
      "with its ears closed",
      (sleep) => `bash -c 'trap "" TERM HUP INT; setsid ${sleep} & wait' & sleep 0.3; echo started`,
    ],
    ["stopped", (sleep) => `${sleep} & kill -STOP $!; echo started`],
  ];
  test.each(ways)("after a command that left one %s", async (_, command) => {
    const sleep = uniqueSleep();
    const { content } = await run({ command: command(sleep), timeout: 20 });
    expect(content).toMatch(/^started\n\n\(exit code 0, .*What it left running was ended/);
    expect(processesWith(sleep)).toEqual([]);
  });

  test("after a timeout, which is told with what was printed", async () => {
    const sleep = uniqueSleep();
    const { ok, content, data } = await run({
      command: `echo begun; setsid ${sleep} & ${sleep}`,
      timeout: 2,
    });
    expect([ok, content]).toEqual([
      false,
      expect.stringMatching(/^begun\n\n\(Stopped with all it started: it did not end within 2 s\./),
    ]);
    expect(data).toMatchObject({ stopped: "timeout" });
    expect(processesWith(sleep)).toEqual([]);
  });

  test("after a cancel, also of one that does not listen", async () => {
    const sleep = uniqueSleep();
    const controller = new AbortController();
    const running = run(
      { command: `trap '' TERM; echo begun; ${sleep}; ${sleep}` },
      { signal: controller.signal },
    );
    await waitForProcesses(sleep, 2);
    controller.abort();
    expect((await running).content).toBe("begun\n\n(Stopped with all it started.)");
    expect(processesWith(sleep)).toEqual([]);
  });

  test("of a command that never stops printing", async () => {
    const { content } = await run({ command: "yes a-line-of-words", timeout: 1 });
    expect(content.length).toBeLessThan(32_000);
    expect(processesWith("yes a-line-of-words")).toEqual([]);
  });

  test("when the table is disposed of, and nothing starts afterwards", async () => {
    const sleep = uniqueSleep();
    const table = new JobTable({ graceMs: 300 });
    await run({ command: `setsid ${sleep} & ${sleep}`, background: true }, {}, { jobs: table });
    const foreground = run({ command: sleep }, {}, { jobs: table });
    await waitForProcesses(sleep, 4);
    await table[Symbol.asyncDispose]();
    await foreground;
    expect(processesWith(sleep)).toEqual([]);
    expect((await run({ command: "true" }, {}, { jobs: table })).content).toContain("The session is over");
  });

  test("when the process that started it exits at once", async () => {
    const sleep = uniqueSleep();
    const script = `
      import { JobTable } from ${JSON.stringify(new URL("./command/job-table.ts", import.meta.url).href)};
      import { shellCommand } from ${JSON.stringify(new URL("./command/spawn-command.ts", import.meta.url).href)};
      const job = await new JobTable().run("x", shellCommand("setsid ${sleep} & echo up; wait", "/", { PATH: process.env.PATH }));
      job.onOutput(() => process.exit(0));`;
    execFileSync(process.execPath, ["--input-type=module", "--no-warnings", "-e", script], {
      stdio: "inherit",
    });
    await waitForProcesses(sleep, 0);
  });
});

describe("jobs", () => {
  const ask = (parameters: JsonObject) => call(jobsTool(jobs), parameters);

  test("are started, read on, listed and stopped", async () => {
    const gate = join(folder.path, "job-gate");
    const command = `echo up; while ! test -e ${gate}; do sleep 0.01; done; echo more; sleep 1000`;
    const started = await run({ command, background: true });
    expect(started).toMatchObject({ ok: true, data: { jobId: "job_1" } });
    expect(started.content).toMatch(/^Started as job_1\. Read its output or stop it with the tool jobs\./);
    const printed =
      started.content +
      (started.content.includes("up") ? "" : (await ask({ action: "read", id: "job_1", wait: 10 })).content);
    expect(printed).toMatch(/\nup\n?$/);
    expect((await ask({ action: "list" })).content).toMatch(/^job_1: running: echo up;/);
    expect((await ask({ action: "read", id: "job_1" })).content).toBe("job_1: running.\n(No new output.)");
    writeFileSync(gate, "");
    expect((await ask({ action: "read", id: "job_1", wait: 10 })).content).toBe("job_1: running.\nmore");
    expect((await ask({ action: "stop", id: "job_1" })).content).toBe(
      "job_1: ended by SIGTERM.\n(No new output.)",
    );
    expect((await ask({ action: "list" })).data).toMatchObject({
      jobs: [{ state: "ended", signal: "SIGTERM" }],
    });
  });

  test("that fail at once say so", async () => {
    const headStartMs = 15_000;
    expect(
      await run({ command: "echo no port; exit 1", background: true }, {}, { headStartMs }),
    ).toMatchObject({
      ok: false,
      content: "job_1: ended with exit code 1.\nno port",
    });
  });

  test("are waited for until they end", async () => {
    await run({ command: "sleep 0.3; echo done", background: true });
    const { content } = await ask({ action: "read", id: "job_1", wait: 20 });
    expect(content).toContain("done");
  });

  test("that are unknown are told with those that are known", async () => {
    expect((await ask({ action: "read", id: "job_9" })).content).toBe(
      "There is no job job_9. None was started.",
    );
    await run({ command: "true", background: true });
    expect((await ask({ action: "stop" })).content).toBe("There is no job without an id. There are: job_1.");
  });
});
