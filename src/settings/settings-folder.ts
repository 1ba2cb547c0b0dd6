import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment } from "../providers/credentials.ts";

/** Where the user's settings are: `$XDG_CONFIG_HOME/aintern`, else `~/.config/aintern`, on Windows in `%APPDATA%`. */
export function settingsFolder(env: Environment): string {
  const base = env.XDG_CONFIG_HOME || (process.platform === "win32" && env.APPDATA);
  return join(base || join(homedir(), ".config"), "aintern");
}
