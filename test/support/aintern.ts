import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  /** Text to pipe in; left out, there is no standard input. */
  readonly stdin?: string;
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
    writeFileSync(join(this.home, "config", "aintern", "settings.json"), JSON.stringify(settings));
  }

  writeFile(name: string, content: string): void {
    writeFileSync(join(this.workspace, name), content);
  }

  start(args: readonly string[], { env = {}, stdin }: StartOptions = {}): Running {
    const child = spawn(process.execPath, [launcher, ...args], {
      cwd: this.workspace,
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
      stdio: [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });
    if (stdin !== undefined) child.stdin?.end(stdin);
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
  async shows(text: string): Promise<void> {
    const ended = this.finished.then(() => "ended" as const);
    while (!this.stdout.includes(text)) {
      if (!this.child.stdout) throw new Error("no output");
      const next = await Promise.race([once(this.child.stdout, "data"), ended]);
      if (next === "ended" && !this.stdout.includes(text)) {
        throw new Error(`ended without showing ${JSON.stringify(text)}:\n${this.stdout}${this.stderr}`);
      }
    }
  }
}
