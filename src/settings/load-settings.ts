import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkAgentConfiguration } from "../agent/agent-configuration.ts";
import { describeIssues } from "../model/describe-issues.ts";
import { isJsonObject } from "../model/json.ts";
import type { PolicySettings } from "../policy/rules/policy-settings-schema.ts";
import { type Settings, settingsSchema } from "./settings.ts";

/** The settings file cannot be used. The message names the file and each problem in it. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** Reads `settings.json` in a folder; a folder without one gives empty settings. Comments are allowed. */
export async function loadSettings(folder: string): Promise<Settings> {
  const file = join(folder, "settings.json");
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return {};
    throw new SettingsError(`The settings cannot be read: ${file}\n  ${String(error)}`);
  }
  const settings = checkSettings(await parseJsonWithComments(text, file), file);
  if (settings.policy) await checkRules(settings.policy, file);
  return settings;
}

function checkSettings(value: unknown, file: string): Settings {
  const parsed = settingsSchema.safeParse(value);
  const agent =
    isJsonObject(value) && value.agent !== undefined ? checkAgentConfiguration(value.agent) : undefined;
  // The agent knows more of its own settings than their schema says: one limit depends on another.
  const issues = (parsed.error?.issues ?? []).filter((issue) => issue.path[0] !== "agent");
  const agentProblems = agent?.ok === false ? agent.problems.map(({ message }) => `agent.${message}`) : [];
  const problems = [...describeIssues(issues, value, words), ...agentProblems];
  if (problems.length === 0 && isSettings(value, parsed.success)) return value;
  throw new SettingsError(
    `The settings have mistakes: ${file}\n${problems.map((line) => `  ${line}`).join("\n")}`,
  );
}

/** A rule that does not say what its author thinks is a mistake, not a rule less. */
async function checkRules(policy: PolicySettings, file: string): Promise<void> {
  const { PolicyRuleError, rulesOf } = await import("../policy/rules/policy-settings.ts");
  try {
    rulesOf(policy, "user");
  } catch (error) {
    if (!(error instanceof PolicyRuleError)) throw error;
    throw new SettingsError(
      `The settings have mistakes: ${file}\n${error.problems.map((line) => `  ${line}`).join("\n")}`,
    );
  }
}

/** As the user wrote them, without defaults: who uses a setting knows best what holds when it is not set. */
function isSettings(_value: unknown, passed: boolean): _value is Settings {
  return passed;
}

const words = {
  entry: "setting",
  whole: "The file",
  known: Object.keys(settingsSchema.shape),
  isSecret: (path: readonly PropertyKey[]) => path.includes("apiKey") || path.includes("headers"),
};

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
