import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { Workspace } from "../workspace/workspace.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";
import type { Tool } from "./tool.ts";

let root: string;
let workspace: Workspace;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "aintern-tools-"));
  mkdirSync(join(root, "src", "deep"), { recursive: true });
  mkdirSync(join(root, "node_modules", "x"), { recursive: true });
  writeFileSync(join(root, "README.md"), "# Title\n\nWords.\n");
  writeFileSync(
    join(root, "src", "long.ts"),
    Array.from({ length: 2_500 }, (_, at) => `line ${at + 1}`).join("\n"),
  );
  writeFileSync(join(root, "src", "deep", "empty.ts"), "");
  writeFileSync(join(root, "image.png"), Buffer.from([0x89, 0x50, 0, 0]));
  writeFileSync(join(root, "two\nlines"), "");
  symlinkSync("/etc/passwd", join(root, "outside"));
  symlinkSync("src/long.ts", join(root, "inside"));
  workspace = await Workspace.open(root);
});
afterAll(() => rmSync(root, { recursive: true }));

async function call<Args>(tool: Tool<Args>, parameters: JsonObject) {
  const checked = tool.validate(parameters);
  if (!checked.ok) throw new Error(checked.problems.join("; "));
  return tool.execute(checked.args, {
    callId: "1",
    requestId: "r",
    conversationId: "c",
    signal: new AbortController().signal,
    reportProgress: () => {},
  });
}

describe("read_file", () => {
  const read = (parameters: JsonObject) => call(readFileTool(workspace), parameters);

  test("shows lines with their numbers", async () => {
    expect(await read({ path: "README.md" })).toMatchObject({
      ok: true,
      content: "1\t# Title\n2\t\n3\tWords.",
    });
  });

  test("shows a long file in windows", async () => {
    const { content } = await read({ path: "src/long.ts", offset: 2, limit: 2 });
    expect(content).toBe("2\tline 2\n3\tline 3\n\n(More follows. Go on with offset 4.)");
    expect((await read({ path: "src/long.ts" })).content).toContain("Go on with offset 2001.");
    expect((await read({ path: "src/long.ts", offset: 2500 })).content).toBe("2500\tline 2500");
  });

  test("fails with what to do next", async () => {
    const failures = {
      "nothing.ts": "nothing.ts does not exist.",
      src: "src is a folder. List it instead.",
      "image.png": "image.png is a binary file of 4 bytes. It cannot be shown as text.",
      outside: "outside is outside of the workspace. Only paths inside of it can be used.",
      "../x": "../x is outside of the workspace. Only paths inside of it can be used.",
    };
    for (const [path, content] of Object.entries(failures)) {
      expect(await read({ path })).toEqual({ ok: false, content });
    }
    const { ok, content } = await read({ path: "README.md", offset: 9 });
    expect([ok, content]).toEqual([false, "README.md has only 3 lines. Take a smaller offset than 9."]);
    expect((await read({ path: "src/deep/empty.ts" })).content).toBe("src/deep/empty.ts is empty.");
  });
});

describe("list_directory", () => {
  const list = (parameters: JsonObject) => call(listDirectoryTool(workspace), parameters);

  test("shows folders first, sizes, and where links lead", async () => {
    expect((await list({})).content.split("\n")).toEqual([
      "node_modules/",
      "src/",
      "README.md (16 bytes)",
      "image.png (4 bytes)",
      'inside -> "src/long.ts"',
      "outside -> outside of the workspace",
      '"two\\nlines" (0 bytes)',
    ]);
  });

  test("shows what is below, but does not enter node_modules", async () => {
    const { content } = await list({ depth: 3 });
    expect(content).toContain("src/\n  deep/\n    empty.ts (0 bytes)\n  long.ts");
    expect(content).not.toContain("x/");
  });

  test("fails with the reason", async () => {
    expect((await list({ path: "missing" })).ok).toBe(false);
    expect(await list({ path: "README.md" })).toMatchObject({
      ok: false,
      content: "This is a file, not a folder. Read it instead.",
    });
    expect((await list({ path: ".." })).ok).toBe(false);
  });

  test("stays bounded in a folder of very many files", async () => {
    mkdirSync(join(root, "many"));
    for (let at = 0; at < 700; at++) writeFileSync(join(root, "many", `f${at}`), "");
    const { content } = await list({ path: "many" });
    expect(content.split("\n")).toHaveLength(501);
    expect(content).toContain("There is more.");
  });
});
