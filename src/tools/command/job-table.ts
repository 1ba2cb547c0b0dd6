import { OutputWindow } from "./output-window.ts";
import {
  type CommandExit,
  type CommandLine,
  type RunningCommand,
  spawnCommand,
  type WrapCommand,
} from "./spawn-command.ts";

export type JobTableOptions = {
  /** For output that is too long to be held; the workspace should grant it, so that the model can read there. */
  readonly outputFolder?: string | undefined;
  readonly wrapCommand?: WrapCommand | undefined;
  /** How long processes may take to end when asked to. Less than what the agent gives a tool that is to stop. */
  readonly graceMs?: number;
};

export type JobState =
  | { readonly state: "running" }
  | { readonly state: "ended"; readonly exit: CommandExit }
  | { readonly state: "failed"; readonly error: unknown };

const limits = { head: 10_000, tail: 20_000 };
const mostJobs = 20;
/** With those that have ended. */
const mostKept = 100;

/** One command that runs or ran. */
export class Job {
  readonly id: string;
  readonly command: string;
  /** Never rejects. */
  readonly ended: Promise<JobState>;
  readonly output: OutputWindow;
  state: JobState = { state: "running" };
  #unread: OutputWindow;
  readonly #running: RunningCommand;
  readonly #onOutput: Set<() => void> = new Set();

  private constructor(id: string, command: string, output: OutputWindow, running: RunningCommand) {
    this.id = id;
    this.command = command;
    this.output = output;
    this.#unread = new OutputWindow(limits);
    this.#running = running;
    this.ended = running.exited.then(
      (exit) => this.#end({ state: "ended", exit }),
      (error: unknown) => this.#end({ state: "failed", error }),
    );
  }

  static async start(
    id: string,
    command: string,
    line: CommandLine,
    { outputFolder, wrapCommand, graceMs = 1_000 }: JobTableOptions,
  ): Promise<Job> {
    const output = new OutputWindow({ ...limits, folder: outputFolder });
    let job: Job | undefined;
    const running = await spawnCommand(line, {
      wrap: wrapCommand,
      graceMs,
      onOutput: (text) => {
        if (job) job.#add(text);
      },
    });
    job = new Job(id, command, output, running);
    return job;
  }

  onOutput(listener: () => void): Disposable {
    this.#onOutput.add(listener);
    return { [Symbol.dispose]: () => this.#onOutput.delete(listener) };
  }

  /** What was printed since this was last asked. */
  takeUnread(): string {
    const text = this.#unread.text();
    this.#unread = new OutputWindow(limits);
    return text;
  }

  get hasUnread(): boolean {
    return this.#unread.total > 0;
  }

  /** Ends the command with all it started. */
  async stop(): Promise<void> {
    this.#running.stop();
    await this.ended;
  }

  killNow(): void {
    this.#running.killNow();
  }

  #add(text: string): void {
    if (text === "") return;
    this.output.add(text);
    this.#unread.add(text);
    for (const listener of this.#onOutput) listener();
  }

  #end(state: JobState): JobState {
    this.state = state;
    this.output[Symbol.dispose]();
    return state;
  }
}

/** Every command of a session. When it is disposed of, or this process ends, none of them is left. */
export class JobTable implements AsyncDisposable {
  readonly #options: JobTableOptions;
  readonly #running = new Set<Job>();
  readonly #background = new Map<string, Job>();
  #started = 0;
  #disposed = false;
  readonly #onExit = () => {
    for (const job of this.#running) job.killNow();
  };

  constructor(options: JobTableOptions = {}) {
    this.#options = options;
  }

  /** Starts a command that somebody waits for. */
  async run(command: string, line: CommandLine): Promise<Job> {
    if (this.#disposed) throw new Error("The session is over: no command can be started.");
    const job = await Job.start(`job_${++this.#started}`, command, line, this.#options);
    if (this.#running.size === 0) process.on("exit", this.#onExit);
    this.#running.add(job);
    void job.ended.then(() => {
      this.#running.delete(job);
      if (this.#running.size === 0) process.off("exit", this.#onExit);
    });
    // It may have been disposed of while the command was being prepared.
    if (this.#disposed) await job.stop();
    return job;
  }

  /** Whether one more may be started to run on by itself. */
  get hasRoom(): boolean {
    return this.list().filter(({ state }) => state.state === "running").length < mostJobs;
  }

  /** Keeps a command for the model to ask about. */
  keep(job: Job): void {
    this.#background.set(job.id, job);
    const forgotten = this.list().find(({ state }) => state.state !== "running");
    if (forgotten && this.#background.size > mostKept) this.#background.delete(forgotten.id);
  }

  get(id: string): Job | undefined {
    return this.#background.get(id);
  }

  list(): readonly Job[] {
    return [...this.#background.values()];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    await Promise.all([...this.#running].map((job) => job.stop()));
  }
}
