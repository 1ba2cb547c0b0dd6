import * as z from "zod/mini";
import { assertNever } from "../model/assert-never.ts";
import { describeJob, describeState } from "./command/describe-job.ts";
import type { Job, JobTable } from "./command/job-table.ts";
import { defineTool } from "./define-tool.ts";
import prose from "./jobs.md";
import type { Tool } from "./tool.ts";
import { failed, succeeded, type ToolResult } from "./tool-result.ts";

const input = z.strictObject({
  action: z.enum(["list", "read", "stop"]),
  id: z.exactOptional(z.string().check(z.describe("Of the job: job_1."))),
  wait: z._default(
    z.int().check(z.gte(0), z.lte(60), z.describe("For read: seconds to wait for output or the end.")),
    0,
  ),
});

export function jobsTool(jobs: JobTable): Tool<z.output<typeof input>> {
  return defineTool({
    id: "jobs",
    name: "Jobs",
    description: prose.trim(),
    category: "terminal",
    // It reaches nothing but what the session itself has started, which was approved then.
    risk: "safe",
    readOnly: true,
    input,
    summarize: ({ action, id }) =>
      `${action === "list" ? "List jobs" : `${action === "read" ? "Read" : "Stop"} ${id ?? "a job"}`}`,
    touches: () => [],
    async execute({ action, id, wait }, { signal }) {
      if (action === "list") return list(jobs);
      const job = id === undefined ? undefined : jobs.get(id);
      if (!job) return failed(`There is no job ${id ?? "without an id"}. ${known(jobs)}`);
      switch (action) {
        case "read":
          await somethingNew(job, AbortSignal.any([signal, AbortSignal.timeout(wait * 1_000)]));
          return succeeded(describeJob(job), { data: dataOf(job) });
        case "stop":
          await job.stop();
          return succeeded(describeJob(job), { data: dataOf(job) });
        default:
          return assertNever(action);
      }
    },
  });
}

function list(jobs: JobTable): ToolResult {
  const all = jobs.list();
  if (all.length === 0) return succeeded("There are no jobs.", { data: { jobs: [] } });
  const lines = all.map(
    (job) => `${job.id}: ${describeState(job)}: ${job.command.split("\n", 1)[0]?.slice(0, 200)}`,
  );
  return succeeded(lines.join("\n"), { data: { jobs: all.map(dataOf) } });
}

function known(jobs: JobTable): string {
  const ids = jobs.list().map(({ id }) => id);
  return ids.length === 0 ? "None was started." : `There are: ${ids.join(", ")}.`;
}

function dataOf({ id, command, state }: Job) {
  const exit = state.state === "ended" ? state.exit : undefined;
  return { id, command, state: state.state, exitCode: exit?.code ?? null, signal: exit?.signal ?? null };
}

async function somethingNew(job: Job, signal: AbortSignal): Promise<void> {
  if (job.hasUnread || job.state.state !== "running" || signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => resolve();
  using _ = job.onOutput(done);
  signal.addEventListener("abort", done, { once: true });
  await Promise.race([promise, job.ended]);
  signal.removeEventListener("abort", done);
}
