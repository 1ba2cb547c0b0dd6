import type { ChildProcess } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { PlainOutput } from "./plain-output.ts";
import { ProcessFamily } from "./process-family.ts";

/** What is about to be started. */
export type CommandLine = {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/**
 * Puts something around a command before it starts: a sandbox. What it returns is what runs; when it throws, nothing
 * runs. It must pass on the environment and descriptor 3, by which the command's processes are found again.
 */
export type WrapCommand = (line: CommandLine) => CommandLine | Promise<CommandLine>;

export type CommandExit = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Processes that the command left behind, and that were ended. */
  readonly leftBehind: number;
};

export type RunningCommand = {
  /** When all its processes are gone and all its output was given. Rejects when it could not be started. */
  readonly exited: Promise<CommandExit>;
  /** Ends all of it. `exited` tells when that is done. */
  stop(): void;
  /** For the last moment of this process. */
  killNow(): void;
};

export type SpawnOptions = {
  readonly wrap?: WrapCommand | undefined;
  /** Harmless text, standard output and error in the order in which they were written. */
  readonly onOutput: (text: string) => void;
  /** How long a process may take to end when asked to. */
  readonly graceMs: number;
};

/** How a command of a shell is run on this system. Its errors go where its output goes. */
export function shellCommand(
  command: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
): CommandLine {
  if (process.platform === "win32") {
    const gitBash = join(env.ProgramFiles ?? "C:\\Program Files", "Git", "bin", "bash.exe");
    return existsSync(gitBash)
      ? { file: gitBash, args: ["-c", command], cwd, env }
      : { file: "powershell.exe", args: ["-NoProfile", "-NonInteractive", "-Command", command], cwd, env };
  }
  const file = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  return { file, args: ["-c", 'exec "$1" -c "$0" 2>&1', command, file], cwd, env };
}

/** Starts a command in a group of its own, without input. Throws what `wrap` throws. */
export async function spawnCommand(line: CommandLine, options: SpawnOptions): Promise<RunningCommand> {
  const wrapped = options.wrap ? await options.wrap(line) : line;
  const family = new ProcessFamily();
  const { spawn } = process.getBuiltinModule("node:child_process");
  let child: ChildProcess | undefined;
  try {
    child = spawn(wrapped.file, wrapped.args, {
      cwd: wrapped.cwd,
      env: { ...wrapped.env, [family.markVariable]: "1" },
      stdio: ["ignore", "pipe", "pipe", ...family.descriptors],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
  } finally {
    family.started(child?.pid);
  }
  return watch(child, family, options);
}

function watch(child: ChildProcess, family: ProcessFamily, options: SpawnOptions): RunningCommand {
  for (const stream of [child.stdout, child.stderr]) {
    const plain = new PlainOutput();
    stream?.on("data", (bytes: Buffer) => options.onOutput(plain.write(bytes)));
    stream?.once("end", () => options.onOutput(plain.end()));
  }
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  let stopping: Promise<unknown> | undefined;
  const exited = new Promise<CommandExit>((resolve, reject) => {
    child.once("error", (error) => {
      if (child.pid === undefined) reject(error);
    });
    child.once("exit", async (code, signal) => {
      family.leaderEnded();
      await stopping;
      const leftBehind = await family.end(options.graceMs);
      // Nobody is left who could write. What was written is still in the pipe.
      await within(closed, 1_000);
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve({ code, signal, leftBehind: stopping ? 0 : leftBehind });
    });
  });
  return {
    exited,
    stop: () => {
      stopping ??= family.end(options.graceMs);
    },
    killNow: () => family.killNow(),
  };
}

async function within(work: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
