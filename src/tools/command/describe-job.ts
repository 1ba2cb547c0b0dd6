import type { Job } from "./job-table.ts";

/** One line on how it is, and what it printed since it was last asked. */
export function describeJob(job: Job): string {
  const printed = job.takeUnread().trimEnd();
  const whole = job.output.file ? ` The whole output is in ${job.output.file}.` : "";
  return `${job.id}: ${describeState(job)}.${whole}\n${printed === "" ? "(No new output.)" : printed}`;
}

export function describeState({ state }: Job): string {
  if (state.state === "running") return "running";
  if (state.state === "failed")
    return `not started: ${state.error instanceof Error ? state.error.message : String(state.error)}`;
  return state.exit.signal ? `ended by ${state.exit.signal}` : `ended with exit code ${state.exit.code}`;
}
