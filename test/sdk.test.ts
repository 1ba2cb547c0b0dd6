import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** As an embedder gets it: the built package, by its own name. Its types are those of the source. */
const name: string = "aintern";
const sdk: typeof import("../src/index.ts") = await import(name);

test("the SDK runs an agent with a tool, and tells everything in events", async () => {
  const { Agent, createScriptedProvider, succeeded, ToolRegistry } = sdk;
  const provider = createScriptedProvider([
    [{ type: "tool_call_ready", call: { id: "1", name: "shout", arguments: { text: "hi" } } }],
    [{ type: "text_delta", text: "It shouted." }],
  ]);
  const shout = {
    id: "shout",
    name: "Shout",
    description: "Says it louder.",
    category: "custom" as const,
    risk: "safe" as const,
    readOnly: true,
    inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    validate: (parameters: { readonly [key: string]: unknown }) => ({
      ok: true as const,
      args: String(parameters.text),
    }),
    summarize: (text: string) => `Shout ${text}`,
    riskOf: () => "safe" as const,
    execute: async (text: string) => succeeded(text.toUpperCase()),
  };
  const agent = new Agent({ model: { provider, id: "any" }, tools: new ToolRegistry([shout]) });
  const run = agent.run({ message: "Shout hi", conversationId: "c", requestId: "r" });
  const results: unknown[] = [];
  let answer = "";
  for await (const event of run) {
    if (event.type === "tool_result") results.push(event.result.content);
    if (event.type === "agent_complete") answer = event.finalResponse;
  }
  expect(results).toEqual(["HI"]);
  expect(answer).toBe("It shouted.");
  expect(run.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
});

test("the SDK reads text tool calls, whole and in pieces", () => {
  const { createToolCallParser, parseToolCalls } = sdk;
  const text = 'Look:\n<tool_call>{"name": "read_file", "arguments": {"path": "a"}}</tool_call>';
  const tools = [{ name: "read_file", description: "", inputSchema: { type: "object" } }];
  expect(parseToolCalls(text, { tools }).calls).toEqual([{ name: "read_file", arguments: { path: "a" } }]);
  const parser = createToolCallParser({ tools, format: "hermes" });
  const events = [...text].flatMap((character) => parser.push(character)).concat(parser.end());
  expect(events.filter(({ type }) => type === "call")).toHaveLength(1);
});

test("the package names the files it has", () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  expect(manifest.exports["."]).toEqual({ types: "./dist/index.d.ts", default: "./dist/index.js" });
  expect(manifest.bin).toEqual({ aintern: "bin/aintern.js" });
});

const declarations = fileURLToPath(new URL("../dist/index.d.ts", import.meta.url));

test.skipIf(!existsSync(declarations))("its types hold in a strict program that checks them whole", () => {
  const folder = mkdtempSync(join(tmpdir(), "aintern-types-"));
  const root = fileURLToPath(new URL("..", import.meta.url));
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const example = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  expect(example).toContain('from "aintern"');
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "aintern"));
  symlinkSync(join(root, "node_modules", "@types"), join(folder, "node_modules", "@types"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "example.ts"), example);
  const compilerOptions = {
    strict: true,
    module: "nodenext",
    target: "es2024",
    noEmit: true,
    types: ["node"],
  };
  const lib = ["es2024", "esnext.disposable"];
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, lib } }),
  );
  const { stdout, status } = spawnSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], {
    encoding: "utf8",
  });
  expect({ stdout, status }).toEqual({ stdout: "", status: 0 });
  rmSync(folder, { recursive: true });
});
