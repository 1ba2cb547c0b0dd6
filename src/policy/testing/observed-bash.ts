import { type SpawnSyncOptions, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failing, programs, wrappers } from "./shell-texts.ts";

/**
 * Runs texts with the real bash, in a folder of their own, where every program that can be found is a stub that writes
 * down its name.
 */
export class ObservedBash {
  readonly #folder = mkdtempSync(join(tmpdir(), "aintern-bash-"));
  readonly #programs = join(this.#folder, "programs");
  readonly #shell: string;
  #runs = 0;

  /** Nothing when this machine has no bash. */
  static find(): ObservedBash | undefined {
    const found = spawnSync("bash", ["-c", 'echo "$BASH"'], { encoding: "utf8" });
    const path = found.stdout?.trim();
    return path?.startsWith("/") ? new ObservedBash(path) : undefined;
  }

  private constructor(shell: string) {
    this.#shell = shell;
    mkdirSync(this.#programs);
    const stub = (name: string, then: string) => {
      const file = join(this.#programs, name);
      writeFileSync(file, `#!${shell}\necho "${name}" >> "$STARTED"\n${then}\n`);
      chmodSync(file, 0o755);
    };
    // They say nothing: one that dies because nobody listens would make a loop go on for ever.
    for (const name of [...programs, "cat", "id"]) stub(name, "exit 0");
    for (const name of failing) stub(name, "exit 1");
    for (const name of wrappers) stub(name, runTheRest(name));
    for (const name of ["sh", "bash"]) stub(name, `exec ${shell} "$@"`);
  }

  /** The names of the programs that were started. */
  run(text: string): ReadonlySet<string> {
    const work = join(this.#folder, `work-${++this.#runs}`);
    const started = join(work, "started");
    mkdirSync(work);
    writeFileSync(started, "");
    writeFileSync(join(work, "in"), "x\n");
    const options: SpawnSyncOptions & { readonly detached: boolean } = {
      cwd: work,
      env: { PATH: this.#programs, HOME: work, FUNCNEST: "20", STARTED: started },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: 2_000,
      killSignal: "SIGKILL",
      // In a group of its own, so that what it leaves running can be ended.
      detached: true,
    };
    const { pid } = spawnSync(this.#shell, ["--norc", "--noprofile", "-c", text], options);
    endGroup(pid);
    return new Set(readFileSync(started, "utf8").split("\n").filter(Boolean));
  }

  [Symbol.dispose](): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** As the real ones do, for the few options that are generated. */
function runTheRest(name: string): string {
  const skip = name === "timeout" ? "shift\n" : "";
  const assignments = name === "env" ? 'while [[ $1 == [a-zA-Z]*=* ]]; do export "$1"; shift; done\n' : "";
  return `${skip}${assignments}[ $# -gt 0 ] && exec "$@"\nexit 0`;
}

/** What a text left running in the background: all of it is in the group of its shell. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch {
    // nothing was left
  }
}
