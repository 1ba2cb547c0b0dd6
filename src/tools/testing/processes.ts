import { readdirSync, readFileSync } from "node:fs";

/** Processes, alive, whose command line holds a text. */
export function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && commandLine(pid).includes(text));
}

/** Waits until there are as many; fails after a time that no machine needs. */
export async function waitForProcesses(text: string, count: number): Promise<void> {
  const until = performance.now() + 10_000;
  while (processesWith(text).length !== count) {
    if (performance.now() > until)
      throw new Error(`There are ${processesWith(text).length} processes with ${text}, not ${count}.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return ""; // gone
  }
}
