import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../providers/credentials.ts";

/**
 * Where the user's settings are: `$XDG_CONFIG_HOME/aintern`, else `~/.config/aintern`, on Windows in `%APPDATA%`. A
 * variable that holds no absolute path is passed over: it would take settings from wherever we are started.
 */
export function settingsFolder(env: Environment): string {
  const fromWindows = process.platform === "win32" ? env.APPDATA : undefined;
  const base = [env.XDG_CONFIG_HOME, fromWindows].find((path) => path && isAbsolute(path));
  return join(base ?? join(homeFolder(env), ".config"), "aintern");
}

function homeFolder(env: Environment): string {
  const written = process.platform === "win32" ? env.USERPROFILE : env.HOME;
  return written && isAbsolute(written) ? written : userInfo().homedir;
}
