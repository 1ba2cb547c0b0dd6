import { readFileSync, realpathSync } from "node:fs";
import { closeIdleConnections } from "../providers/http/http-transport.ts";
import { type OpenModelOptions, openModel } from "../providers/open-model.ts";
import { loadSettings } from "../settings/load-settings.ts";
import { settingsFolder } from "../settings/settings-folder.ts";
import { type Arguments, type AskArguments, parseArguments, UsageError } from "./arguments.ts";
import { ask } from "./ask.ts";
import { chooseModel } from "./choose-model.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { readStdin } from "./read-stdin.ts";
import { OutputClosed, StandardOutput } from "./standard-output.ts";

/** The user, or the system, has told us to stop. */
class Stopped extends Error {
  readonly code: ExitCode;
  constructor(code: ExitCode) {
    super("stopped");
    this.code = code;
  }
}

/** The `aintern` command. Sets the exit code and returns when everything is closed. */
export async function main(argv: readonly string[]): Promise<void> {
  const stop = new AbortController();
  const onSignal = (code: ExitCode) => () => {
    // The second time there is no waiting.
    if (stop.signal.aborted) process.exit(code);
    stop.abort(new Stopped(code));
  };
  process.on("SIGINT", onSignal(exitCode.interrupted));
  process.on("SIGTERM", onSignal(exitCode.terminated));
  process.on("SIGHUP", onSignal(exitCode.hungUp));
  const output = new StandardOutput((reason) => stop.abort(reason));
  process.exitCode = await run(argv, output, stop.signal);
  closeIdleConnections();
}

async function run(argv: readonly string[], output: StandardOutput, signal: AbortSignal): Promise<ExitCode> {
  let model: string | undefined;
  try {
    const args = parseArguments(argv);
    if (args.command === "ask") {
      await runAsk(args, output, signal, (reference) => {
        model = reference;
      });
    } else await runCommand(args, output);
    return exitCode.done;
  } catch (error) {
    if (error instanceof Stopped) return error.code;
    if (signal.reason instanceof Stopped) return signal.reason.code;
    const closed = [error, signal.reason].find((reason) => reason instanceof OutputClosed);
    if (closed) return closed.isReaderGone ? exitCode.outputClosed : exitCode.failed;
    const { reportError } = await import("./report-error.ts");
    const { lines, code } = reportError(error, model);
    process.stderr.write(`aintern: ${lines.join("\n         ")}\n`);
    return code;
  }
}

async function runCommand(
  args: Exclude<Arguments, { command: "ask" }>,
  output: StandardOutput,
): Promise<void> {
  if (args.command === "policy") {
    const { runPolicyCommand } = await import("./policy-command.ts");
    const { userPolicy } = await import("./user-policy.ts");
    const options = await environment();
    const policy = userPolicy({
      ...options,
      workspace: realpathSync(process.cwd()),
      allow: args.allow,
      deny: args.deny,
    });
    output.write(await runPolicyCommand(args, policy, options.configFolder));
  } else if (args.command === "models") {
    const { listModels } = await import("./models-command.ts");
    output.write(await listModels(await environment(), args.json));
  } else {
    const file = args.command === "help" ? "../bin/help.txt" : "../package.json";
    const text = readFileSync(new URL(file, import.meta.url), "utf8");
    output.write(args.command === "help" ? text : `${JSON.parse(text).version}\n`);
  }
  output.flush();
}

async function runAsk(
  args: AskArguments,
  output: StandardOutput,
  signal: AbortSignal,
  onModel: (reference: string) => void,
): Promise<void> {
  const piped = await readStdin(signal);
  const prompt = [args.prompt, piped].filter(Boolean).join("\n\n");
  if (prompt.trim() === "")
    throw new UsageError('There is no prompt. Write one: aintern "What does this repository do?"');
  const options = await environment();
  const { reference, because } = await chooseModel(args.model, options.settings, options);
  onModel(reference);
  if (because) process.stderr.write(`Using ${reference} (${because}).\n`);
  const model = await openModel(reference, options);
  await ask({ prompt, model, args, options, output, signal });
}

async function environment(): Promise<
  OpenModelOptions & { settings: Awaited<ReturnType<typeof loadSettings>> }
> {
  const configFolder = settingsFolder(process.env);
  const settings = await loadSettings(configFolder);
  return { settings, providers: settings.providers ?? {}, env: process.env, configFolder };
}
