import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

const launcher = fileURLToPath(new URL("../../bin/aintern.js", import.meta.url));

export type Finished = {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
};

export type StartOptions = {
  readonly env?: Readonly<Record<string, string>>;
  /** Text to pipe in, or `open` for a pipe that the test writes to; left out, there is no standard input. */
  readonly stdin?: string;
  /** A file to write to instead of the pipe that the test reads. */
  readonly stdout?: string;
  readonly cwd?: string;
  /** The folder it is started in is removed before it runs. */
  readonly cwdGoneBefore?: boolean;
  /** In a terminal of its own, which shows everything on the output. What the test types is written to `stdin`. */
  readonly terminal?: boolean;
};

/** The real command in a home and a workspace of its own. */
export class Aintern implements Disposable {
  readonly home = mkdtempSync(join(tmpdir(), "aintern-test-"));
  readonly workspace = join(this.home, "work");
  /** What the command takes for the system's folder for temporary files. */
  readonly temporary = join(this.home, "tmp");

  constructor(settings?: object) {
    mkdirSync(this.workspace);
    mkdirSync(this.temporary);
    mkdirSync(join(this.home, "config", "aintern"), { recursive: true });
    if (settings) this.configure(settings);
  }

  configure(settings: object): void {
    this.writeSettings(JSON.stringify(settings));
  }

  writeSettings(text: string): void {
    writeFileSync(join(this.home, "config", "aintern", "settings.json"), text);
  }

  writeFile(name: string, content: string): void {
    writeFileSync(join(this.workspace, name), content);
  }

  start(args: readonly string[], options: StartOptions = {}): Running {
    const { env = {}, stdin, stdout, cwd = this.workspace, cwdGoneBefore, terminal } = options;
    const command = [process.execPath, launcher, ...args];
    // Only a shell can be in a folder and remove it before the command starts there.
    const gone = ["sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", ...command];
    const quoted = command.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
    const inTerminal = ["script", "--quiet", "--return", "--command", quoted, "/dev/null"];
    const [program = "", ...rest] = terminal ? inTerminal : cwdGoneBefore ? gone : command;
    const file = stdout === undefined ? undefined : openSync(stdout, "w");
    const child = spawn(program, rest, {
      cwd,
      env: {
        PATH: process.env.PATH ?? "",
        HOME: this.home,
        XDG_CONFIG_HOME: join(this.home, "config"),
        TMPDIR: this.temporary,
        XDG_CACHE_HOME: join(tmpdir(), "aintern-test-cache"),
        // Nothing on the machine that runs the tests may answer as a model.
        OLLAMA_HOST: "127.0.0.1:9",
        ...env,
      },
      stdio: [stdin === undefined ? "ignore" : "pipe", file ?? "pipe", "pipe"],
    });
    if (file !== undefined) closeSync(file);
    if (stdin !== undefined && stdin !== "open") child.stdin?.on("error", () => {}).end(stdin);
    return new Running(child);
  }

  run(args: readonly string[], options?: StartOptions): Promise<Finished> {
    return this.start(args, options).finished;
  }

  [Symbol.dispose](): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}

export class Running {
  readonly child: ChildProcess;
  readonly finished: Promise<Finished>;
  stdout = "";
  stderr = "";

  constructor(child: ChildProcess) {
    this.child = child;
    child.stdout?.setEncoding("utf8").on("data", (text) => (this.stdout += text));
    child.stderr?.setEncoding("utf8").on("data", (text) => (this.stderr += text));
    this.finished = once(child, "close").then(([code, signal]) => ({
      code,
      signal,
      stdout: this.stdout,
      stderr: this.stderr,
    }));
  }

  /** Waits until the output holds a text. */
  shows(text: string): Promise<void> {
    return this.#holds(text, this.child.stdout, () => this.stdout);
  }

  /** Waits until a text was said beside the output. */
  says(text: string): Promise<void> {
    return this.#holds(text, this.child.stderr, () => this.stderr);
  }

  async #holds(text: string, stream: Readable | null, soFar: () => string): Promise<void> {
    const ended = this.finished.then(() => "ended" as const);
    while (!soFar().includes(text)) {
      if (!stream) throw new Error("no output");
      const next = await Promise.race([once(stream, "data"), ended]);
      if (next === "ended" && !soFar().includes(text)) {
        throw new Error(`ended without showing ${JSON.stringify(text)}:\n${this.stdout}${this.stderr}`);
      }
    }
  }
}
