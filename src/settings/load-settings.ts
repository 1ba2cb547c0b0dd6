import { describeIssues } from "../tools/describe-issues.ts";
import { type Settings, settingsSchema } from "./settings.ts";

/** The settings file cannot be used. The message names the file and each problem in it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Reads `settings.json` in a folder; a folder without one gives empty settings. Comments are allowed. */
export async function loadSettings(folder: string): Promise<Settings> {
  const { readFileSync } = process.getBuiltinModule("node:fs");
  const { join } = process.getBuiltinModule("node:path");
  const file = join(folder, "settings.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return {};
    throw new SettingsError(`The settings cannot be read: ${file}\n  ${String(error)}`);
  }
  return checkSettings(await parseJsonWithComments(text, file), file);
}

function checkSettings(value: unknown, file: string): Settings {
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = describeIssues(parsed.error.issues, value, Object.keys(settingsSchema.shape));
  throw new SettingsError(
    `The settings have mistakes: ${file}\n${problems.map((line) => `  ${line}`).join("\n")}`,
  );
}

/** Plain JSON is read by the built-in parser; the one that knows comments is loaded when that fails. */
async function parseJsonWithComments(text: string, file: string): Promise<unknown> {
  const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (plain.trim() === "") return {};
  try {
    return JSON.parse(plain);
  } catch {
    const { parse, printParseErrorCode } = await import("jsonc-parser");
    const errors: { error: number; offset: number; length: number }[] = [];
    const value: unknown = parse(plain, errors, { allowTrailingComma: true });
    const first = errors[0];
    if (!first) return value;
    const before = plain.slice(0, first.offset).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    const word = printParseErrorCode(first.error)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase();
    throw new SettingsError(
      `The settings are not JSON: ${file}\n  line ${before.length}, column ${column}: ${word}`,
    );
  }
}
