import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { Workspace } from "../workspace/workspace.ts";
import { type BuiltInTools, createBuiltInTools } from "./built-in-tools.ts";
import { processesWith, waitForProcesses } from "./testing/processes.ts";
import { argsOf, call, TemporaryFolder } from "./testing/tool-kit.ts";
import { ToolRegistry } from "./tool-registry.ts";

let folder: TemporaryFolder;
let workspace: Workspace;
let builtIn: BuiltInTools;
beforeAll(async () => {
  folder = new TemporaryFolder({ a: "x\n" });
  symlinkSync("a", join(folder.path, "alias"));
  workspace = await Workspace.open(folder.path);
  builtIn = createBuiltInTools({ workspace });
});
afterAll(async () => {
  await builtIn[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const tool = (id: string) => {
  const found = builtIn.tools.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`There is no ${id}.`);
  return found;
};

const examples: Readonly<Record<string, JsonObject>> = {
  read_file: { path: "a" },
  write_file: { path: "b", content: "x" },
  edit_file: { path: "a", edits: [{ oldText: "x", newText: "y" }] },
  list_directory: {},
  find_files: { pattern: "*" },
  search_text: { pattern: "x" },
  run_command: { command: "true" },
  jobs: { action: "list" },
  fetch_url: { url: "http://127.0.0.1/" },
  todo: { items: [{ text: "one", status: "done" }] },
};

test("they are these, and a registry takes them", () => {
  expect(new ToolRegistry(builtIn.tools).list().map(({ id }) => id)).toEqual(Object.keys(examples));
});

test("their definitions leave the first request small", () => {
  const sizes = builtIn.tools.map(({ description, inputSchema }) =>
    Buffer.byteLength(description + JSON.stringify(inputSchema)),
  );
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(6_000);
});

test.each(Object.entries(examples))(
  "%s takes its example, says in one line what it does, and runs",
  async (id, parameters) => {
    const summary = tool(id).summarize(argsOf(tool(id), parameters));
    expect(summary).toMatch(/^\S[^\n]+$/);
    expect((await call(tool(id), parameters)).ok).toBe(id !== "fetch_url");
  },
);

test.each(["read_file", "write_file", "edit_file", "list_directory", "find_files", "search_text"])(
  "%s tells what it touches, by whatever name",
  (id) => {
    const touched = (path: string) => tool(id).touches?.(argsOf(tool(id), { ...examples[id], path }));
    expect(touched("./new/../a")).toEqual([`${folder.path}/a`]);
    expect(touched(`${folder.path}/a`)).toEqual([`${folder.path}/a`]);
    expect(touched("alias")).toEqual([`${folder.path}/a`]);
    expect(touched("not/there")).toEqual([`${folder.path}/not/there`]);
  },
);

test("what only looks is read-only, and what changes something is not", () => {
  const changing = builtIn.tools.filter(({ readOnly }) => !readOnly).map(({ id }) => id);
  expect(changing).toEqual(["write_file", "edit_file", "run_command"]);
});

test("the plan is shown and carried as data", async () => {
  const items = [
    { text: "read\nit", status: "done" },
    { text: "change it", status: "in_progress" },
    { text: "test it", status: "pending" },
  ];
  expect(await call(tool("todo"), { items })).toEqual({
    ok: true,
    content: "[x] read it\n[>] change it\n[ ] test it",
    data: { items },
  });
  expect(tool("todo").summarize(argsOf(tool("todo"), { items }))).toBe("Plan: 1 of 3 done");
});

test.skipIf(process.platform !== "linux")("disposing ends what they started", async () => {
  const own = createBuiltInTools({ workspace });
  const sleep = `sleep 97${process.pid}`;
  const run = own.tools.find(({ id }) => id === "run_command");
  if (!run) throw new Error("There is no run_command.");
  await call(run, { command: sleep, background: true });
  await waitForProcesses(sleep, 1);
  await own[Symbol.asyncDispose]();
  expect(processesWith(sleep)).toEqual([]);
});
