import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the marking file is open in the command's processes: right after the three streams. */
const markDescriptor = 3;

const pollMs = 20;
const settleMs = 5;
/** After SIGKILL a process is gone as soon as the system gets to it. */
const longestKillMs = 5_000;

/**
 * All processes that a command started, however they try to leave: a process group of its own, and, on Linux, two marks
 * that are inherited, one in the environment and one open file. A process is found by either, so that neither
 * `setsid`, nor `env -i`, nor a daemon that closes its files gets away.
 */
export class ProcessFamily {
  /** The name of a variable that marks what the command starts. Each has its own: commands can start commands. */
  readonly markVariable: string;
  readonly #markPath: string | undefined;
  #markFile: number | undefined;
  #leader: number | undefined;

  constructor() {
    const mark = process.getBuiltinModule("node:crypto").randomBytes(16).toString("hex");
    this.markVariable = `AINTERN_COMMAND_${mark}`;
    if (process.platform !== "linux") return;
    this.#markPath = join(tmpdir(), `aintern-command-${mark}`);
    closeSync(openSync(this.#markPath, "wx", 0o400));
    // For reading only, empty, and without a name: nobody can use it for anything.
    this.#markFile = openSync(this.#markPath, "r");
    unlinkSync(this.#markPath);
  }

  /** What to start the first process with besides its streams. */
  get descriptors(): readonly number[] {
    return this.#markFile === undefined ? [] : [this.#markFile];
  }

  /** To be told once the first process is there, started `detached`; from then on it holds the mark. */
  started(pid: number | undefined): void {
    this.#leader = pid;
    if (this.#markFile !== undefined) closeSync(this.#markFile);
    this.#markFile = undefined;
  }

  /** The first process has ended and was waited for: its number may belong to another one soon. */
  leaderEnded(): void {
    if (process.platform === "linux") this.#leader = undefined;
  }

  /** Asks all to end, and ends those that do not. Says how many there were. Returns when they are gone. */
  async end(graceMs: number): Promise<number> {
    let count = this.#signal("SIGTERM");
    if (count === 0) {
      // A process that is just becoming another program has, for a moment, no environment to be known by.
      await pause(settleMs);
      count = this.#signal("SIGTERM");
      if (count === 0) return 0;
    }
    this.#signal("SIGCONT");
    const politeUntil = performance.now() + graceMs;
    while (this.#signal(0) > 0 && performance.now() < politeUntil) await pause(pollMs);
    const killUntil = performance.now() + longestKillMs;
    while (this.#signal("SIGKILL") > 0 && performance.now() < killUntil) await pause(pollMs);
    return count;
  }

  /** For the last moment of this process. */
  killNow(): void {
    this.#signal("SIGKILL");
  }

  /** Sends a signal (0: none) to all that are found, and counts them. */
  #signal(signal: NodeJS.Signals | 0): number {
    if (process.platform === "win32") return this.#signalWindows(signal);
    const found = this.#markedProcesses().filter((pid) => send(pid, signal)).length;
    const group = this.#leader !== undefined && send(-this.#leader, signal);
    return Math.max(found, group ? 1 : 0);
  }

  /** There, only killing is possible, and it takes the whole tree. */
  #signalWindows(signal: NodeJS.Signals | 0): number {
    if (this.#leader === undefined || !send(this.#leader, 0)) return 0;
    if (signal === "SIGKILL" || signal === "SIGTERM") {
      const { spawnSync } = process.getBuiltinModule("node:child_process");
      spawnSync("taskkill", ["/T", "/F", "/PID", String(this.#leader)], { stdio: "ignore" });
    }
    return 1;
  }

  #markedProcesses(): readonly number[] {
    if (this.#markPath === undefined) return [];
    const inEnvironment = Buffer.from(`${this.markVariable}=`);
    const markPath = this.#markPath;
    return readdirSync("/proc")
      .map(Number)
      .filter(
        (pid) =>
          pid > 1 &&
          pid !== process.pid &&
          (attempt(() => readFileSync(`/proc/${pid}/environ`).includes(inEnvironment)) ||
            attempt(() => readlinkSync(`/proc/${pid}/fd/${markDescriptor}`).startsWith(markPath))),
      );
  }
}

function attempt(question: () => boolean): boolean {
  try {
    return question();
  } catch {
    return false; // gone in the meantime, or another user's
  }
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // gone
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
