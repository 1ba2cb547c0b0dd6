import { expect, test } from "vitest";
import { commandEnvironment, isSecretVariable } from "./command-environment.ts";

test.each([
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "OPENAI_API_KEY",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "GOOGLE_GENERATIVE_AI_API_KEY",
  "OPENROUTER_API_KEY",
  "XAI_API_KEY",
  "DEEPSEEK_API_KEY",
  "MISTRAL_API_KEY",
  "GROQ_API_KEY",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "GITHUB_TOKEN",
  "GH_PAT",
  "NPM_TOKEN",
  "PGPASSWORD",
  "MYSQL_PWD",
  "DB_PASS",
  "REDISCLI_AUTH",
  "my_secret",
  "SENTRY_DSN",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "OPENAI_KEY",
])("%s is a secret", (name) => expect(isSecretVariable(name)).toBe(true));

test.each([
  "PATH",
  "HOME",
  "PWD",
  "OLDPWD",
  "SSH_AUTH_SOCK",
  "KEYBOARD",
  "MONKEY",
  "COMPASS",
  "AUTHOR",
  "LANG",
  "GIT_AUTHOR_NAME",
])("%s is none", (name) => expect(isSecretVariable(name)).toBe(false));

test("a key is known by its value, too", () => {
  expect(isSecretVariable("WORK", "sk-ant-api03-abc")).toBe(true);
  expect(isSecretVariable("WORK", "ghp_abcdef")).toBe(true);
  expect(isSecretVariable("WORK", "skiing")).toBe(false);
});

test("a command gets the rest, named secrets left out, and no reason to wait for a person", () => {
  const env = {
    PATH: "/bin",
    MY_VAR: "x",
    CUSTOM: "y",
    PAGER: "sh -c id",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "a.b",
    FORCE_COLOR: "1",
  };
  const result = commandEnvironment(env, { secretVariables: ["custom"] });
  expect(result).toMatchObject({
    PATH: "/bin",
    MY_VAR: "x",
    PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
    GIT_CONFIG_COUNT: "2",
  });
  expect(result).toMatchObject({ GIT_CONFIG_KEY_0: "a.b", GIT_CONFIG_KEY_1: "core.fsmonitor" });
  expect([result.CUSTOM, result.FORCE_COLOR]).toEqual([undefined, undefined]);
});
