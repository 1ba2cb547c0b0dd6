import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { loadSettings, SettingsError } from "./load-settings.ts";
import { settingsSchema } from "./settings.ts";
import { settingsFolder } from "./settings-folder.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "aintern-settings-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (text: string) => writeFileSync(join(folder, "settings.json"), text);
const problemsOf = async (text: string) => {
  write(text);
  const error = await loadSettings(folder).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SettingsError);
  return String((error as Error).message).split("\n");
};

describe("settings", () => {
  test("are empty without a file, in an empty file, and in a folder that is not there", async () => {
    expect(await loadSettings(folder)).toEqual({});
    expect(await loadSettings(join(folder, "none", "here"))).toEqual({});
    write(" \n");
    expect(await loadSettings(folder)).toEqual({});
  });

  test("may hold comments, trailing commas and a byte order mark", async () => {
    write('\uFEFF{\n  // the usual one\n  "model": "ollama/qwen3:8b", /* local */\n}\n');
    expect(await loadSettings(folder)).toEqual({ model: "ollama/qwen3:8b" });
  });

  test("describe a provider", async () => {
    const settings = {
      providers: {
        mine: {
          type: "openai-compatible",
          baseURL: "http://127.0.0.1:9000/v1",
          apiKey: "env:MY_KEY",
          toolCalling: "text",
          models: { name: { contextWindow: 128000 } },
        },
      },
    };
    write(JSON.stringify(settings));
    expect(await loadSettings(folder)).toEqual(settings);
  });

  test("that are not JSON are refused with the place", async () => {
    const [headline, place] = await problemsOf('{\n  "model" "x/y"\n}');
    expect(headline).toBe(`The settings are not JSON: ${join(folder, "settings.json")}`);
    expect(place).toBe("  line 2, column 11: colon expected");
  });

  test("with mistakes are refused with all of them, each with its name, its value and what is allowed", async () => {
    const lines = await problemsOf(
      JSON.stringify({
        modle: "x/y",
        model: "no-slash",
        agent: { maxIterations: 500, toolTimeoutMs: 900_000, requestTimeoutMs: 6_000 },
        providers: {
          a: { type: "openai-compatible" },
          b: { type: "nothing", baseURL: "ftp://x" },
          c: { models: { m: { contextWindow: -5 } }, apikey: "x" },
        },
      }),
    );
    expect(lines.slice(1)).toMatchInlineSnapshot(`
      [
        "  \`model\` must be written provider/model; got "no-slash"",
        "  \`providers.a.baseURL\` is required for an openai-compatible provider",
        "  \`providers.b.type\` must be one of "openai-compatible", "openai", "anthropic", "google", "ollama", "ai-sdk", "scripted"; got "nothing"",
        "  \`providers.b.baseURL\` must be an http(s) address; got "ftp://x"",
        "  \`providers.c.models.m.contextWindow\` must be more than 0; got -5",
        "  \`providers.c.apikey\` is not a known setting",
        "  \`modle\` is not a known setting; known: $schema, model, agent, policy, providers",
        "  agent.maxIterations is 500; it must be a whole number from 1 to 100.",
        "  agent.requestTimeoutMs is 6000; it must be a whole number of milliseconds, at least toolTimeoutMs and at most 2147483647. toolTimeoutMs is 900000.",
      ]
    `);
  });

  test("never show a key that is in the wrong place", async () => {
    const lines = await problemsOf(
      '{"providers":{"mine":{"apiKey":["sk-secret-0123456789"],"headers":{"x":{"y":"sk-secret-0123456789"}}}}}',
    );
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.join("\n")).not.toContain("sk-secret");
  });

  test("have a JSON Schema that is up to date", async () => {
    // What holds when a setting is left out depends on who uses it, so that no defaults are promised here.
    const override = ({ jsonSchema }: { jsonSchema: { default?: unknown } }) =>
      void delete jsonSchema.default;
    const schema = JSON.stringify(z.toJSONSchema(settingsSchema, { io: "input", override }), undefined, 2);
    await expect(`${schema}\n`).toMatchFileSnapshot("../../docs/settings.schema.json");
  });
});

describe("the settings folder", () => {
  test("is XDG's where that is set", () => {
    expect(settingsFolder({ XDG_CONFIG_HOME: "/xdg" })).toBe(join("/xdg", "aintern"));
    expect(settingsFolder({})).toMatch(/[/\\]\.config[/\\]aintern$/);
  });

  test("is never below the folder we are started in by a relative or an empty variable", () => {
    for (const env of [{ XDG_CONFIG_HOME: ".config" }, { XDG_CONFIG_HOME: "", HOME: "" }, { HOME: "here" }]) {
      expect(isAbsolute(settingsFolder(env))).toBe(true);
      expect(settingsFolder(env)).toBe(settingsFolder({}));
    }
  });
});
