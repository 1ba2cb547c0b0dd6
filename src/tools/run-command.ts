import * as z from "zod/mini";
import type { RiskLevel } from "../policy/risk-level.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { commandEnvironment, type Environment } from "./command/command-environment.ts";
import { describeJob } from "./command/describe-job.ts";
import type { Job, JobTable } from "./command/job-table.ts";
import type { OutputWindow } from "./command/output-window.ts";
import { shellCommand } from "./command/spawn-command.ts";
import { Throttle } from "./command/throttle.ts";
import { defineTool } from "./define-tool.ts";
import prose from "./run-command.md";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { indeterminateProgress } from "./tool-progress.ts";
import { failed, succeeded, type ToolResult } from "./tool-result.ts";

export type RunCommandOptions = {
  readonly workspace: Workspace;
  readonly jobs: JobTable;
  readonly env?: Environment;
  /** Names of variables that hold keys, besides those that look like it. */
  readonly secretVariables?: readonly string[];
  /** How much harm a command could do, from whoever can read it. Left out: much. */
  readonly riskOfCommand?: (command: string) => RiskLevel;
  /** How long a command in the background is watched before the call returns: long enough to see a server fail. */
  readonly headStartMs?: number;
};

const defaultSeconds = 120;
const mostSeconds = 600;
const defaultHeadStartMs = 500;
/** All of it is in the details. */
const longestSummary = 200;
const progressMs = 100;
const progressCharacters = 2_000;

const input = z.strictObject({
  command: z.string().check(z.minLength(1), z.maxLength(100_000)),
  timeout: z._default(
    z.int().check(z.gte(1), z.lte(mostSeconds), z.describe("Seconds until it is stopped.")),
    defaultSeconds,
  ),
  background: z._default(z.boolean().check(z.describe("Do not wait for its end.")), false),
});

export function runCommandTool(options: RunCommandOptions): Tool<z.output<typeof input>> {
  const { workspace, jobs, env = process.env, secretVariables = [] } = options;
  const { riskOfCommand = () => "high", headStartMs = defaultHeadStartMs } = options;
  return defineTool({
    id: "run_command",
    name: "Run command",
    description: prose.trim(),
    category: "terminal",
    risk: "high",
    readOnly: false,
    input,
    riskOf: ({ command }) => riskOfCommand(command),
    summarize: ({ command, background }) => {
      const [first = "", ...rest] = command.trim().split("\n");
      const more = rest.length > 0 ? ` … (${rest.length + 1} lines)` : "";
      const shown = first.length > longestSummary ? `${first.slice(0, longestSummary)}…` : first;
      return `Run${background ? " in the background" : ""}: ${shownName(shown)}${more}`;
    },
    detailsOf: ({ command }) => [`Command: ${command}`],
    async execute({ command, timeout, background }, { signal, reportProgress }) {
      if (command.includes("\0")) return failed("A command cannot hold a NUL character.");
      if (background && !jobs.hasRoom)
        return failed("Too many jobs are running. Stop one with the tool jobs.");
      const line = shellCommand(command, workspace.root, commandEnvironment(env, { secretVariables }));
      let job: Job;
      try {
        job = await jobs.run(command, line);
      } catch (error) {
        return failed(
          `The command was not started: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
      if (background) {
        jobs.keep(job);
        await endOrDelay(job, AbortSignal.any([signal, AbortSignal.timeout(headStartMs)]));
        return describeStart(job);
      }
      const startedAt = performance.now();
      using progress = new Throttle(progressMs, () =>
        reportProgress(indeterminateProgress(job.output.last(progressCharacters))),
      );
      using _ = job.onOutput(() => progress.trigger());
      const limit = AbortSignal.timeout(timeout * 1_000);
      await endOrDelay(job, AbortSignal.any([signal, limit]));
      const inTime = job.state.state !== "running";
      if (!inTime) await job.stop();
      const seconds = (performance.now() - startedAt) / 1_000;
      return describeEnd(job, {
        seconds,
        stopped: inTime ? undefined : limit.aborted ? "timeout" : "cancelled",
        timeout,
      });
    },
  });
}

async function endOrDelay(job: Job, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const onAbort = () => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([job.ended, promise]);
  signal.removeEventListener("abort", onAbort);
}

function describeStart(job: Job): ToolResult {
  const data = { jobId: job.id };
  if (job.state.state !== "running") return failed(describeJob(job), { data });
  const printed = job.takeUnread();
  const soFar = printed === "" ? "" : ` It has printed:\n${printed}`;
  return succeeded(`Started as ${job.id}. Read its output or stop it with the tool jobs.${soFar}`, { data });
}

type Ending = {
  readonly seconds: number;
  readonly stopped: "timeout" | "cancelled" | undefined;
  readonly timeout: number;
};

function describeEnd(job: Job, { seconds, stopped, timeout }: Ending): ToolResult {
  const { state, output } = job;
  if (state.state === "failed")
    return failed(
      `The command was not started: ${state.error instanceof Error ? state.error.message : "unknown"}`,
    );
  const exit = state.state === "ended" ? state.exit : undefined;
  const data = {
    exitCode: exit?.code ?? null,
    signal: exit?.signal ?? null,
    seconds: Math.round(seconds * 10) / 10,
    stopped: stopped ?? null,
    outputFile: output.file ?? null,
  };
  const printed = output.text().trimEnd();
  const said = printed === "" ? "" : `${printed}\n\n`;
  if (stopped === "timeout")
    return failed(
      `${said}(Stopped with all it started: it did not end within ${timeout} s. Give it more time, up to ${mostSeconds} s, or run it with background. If it waited for input: there is none.)`,
      { data },
    );
  if (stopped === "cancelled") return failed(`${said}(Stopped with all it started.)`, { data });
  const nothing =
    printed === "" ? "It printed nothing; it had no input. " : looksAsked(output) ? "It had no input. " : "";
  const left = exit?.leftBehind
    ? ` What it left running was ended (${exit.leftBehind}): use background for what shall go on.`
    : "";
  const how = exit?.signal ? `ended by ${exit.signal}` : `exit code ${exit?.code}`;
  const text = `${said}(${nothing}${how}, ${data.seconds} s.${left})`;
  return exit?.code === 0 ? succeeded(text, { data }) : failed(text, { data });
}

/** A last line without an end, as a question is written. */
function looksAsked(output: OutputWindow): boolean {
  return /[?:>\])] *$/.test(output.last(10));
}
