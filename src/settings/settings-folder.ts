import type { Environment } from "../providers/credentials.ts";

/** Where the user's settings are: `$XDG_CONFIG_HOME/aintern`, else `~/.config/aintern`, on Windows in `%APPDATA%`. */
export function settingsFolder(env: Environment): string {
  const { join } = process.getBuiltinModule("node:path");
  const { homedir } = process.getBuiltinModule("node:os");
  const base = env.XDG_CONFIG_HOME || (process.platform === "win32" && env.APPDATA);
  return join(base || join(homedir(), ".config"), "aintern");
}
