import type { ProviderPreset } from "./provider-preset.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Something the user has to set right before a model can be reached. The message says what. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}

export type Credential = { readonly key: string; readonly source: string };

/** Where a key would come from, without fetching it: for lists. */
export function keySource(
  written: string | undefined,
  preset: ProviderPreset | undefined,
  env: Environment,
): string | undefined {
  if (written?.startsWith("env:")) return env[written.slice(4)]?.trim() ? written.slice(4) : undefined;
  if (written) return written.startsWith("!") ? "a command in settings" : "settings";
  return preset?.keyVariables.find((name) => env[name]?.trim());
}

/** The key for a provider, from settings or the environment; never from a file of the workspace. */
export async function resolveKey(
  provider: string,
  written: string | undefined,
  preset: ProviderPreset | undefined,
  env: Environment,
): Promise<Credential | undefined> {
  if (written?.startsWith("env:")) {
    const name = written.slice(4);
    const key = env[name]?.trim();
    if (!key)
      throw new ConfigurationError(`The key of ${provider} is to come from ${name}, which is not set.`);
    return { key, source: name };
  }
  if (written?.startsWith("!"))
    return { key: await runKeyCommand(provider, written.slice(1)), source: "command" };
  if (written) return { key: written, source: "settings" };
  const source = preset?.keyVariables.find((name) => env[name]?.trim());
  const key = source && env[source]?.trim();
  return key ? { key, source } : undefined;
}

const commandTimeoutMs = 30_000;

async function runKeyCommand(provider: string, command: string): Promise<string> {
  const { exec } = process.getBuiltinModule("node:child_process");
  return new Promise((resolve, reject) => {
    exec(command, { timeout: commandTimeoutMs, encoding: "utf8" }, (error, stdout) => {
      const key = stdout.trim();
      // Neither its output nor its error text is shown: both may hold the key.
      if (error) {
        const reason = error.killed
          ? "did not end within 30 s"
          : `failed with status ${error.code ?? "unknown"}`;
        reject(
          new ConfigurationError(
            `The command for the key of ${provider} ${reason}. Run it by hand to see why.`,
          ),
        );
      } else if (key === "")
        reject(new ConfigurationError(`The command for the key of ${provider} printed nothing.`));
      else resolve(key);
    });
  });
}
