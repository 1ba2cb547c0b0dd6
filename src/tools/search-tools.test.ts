import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { Workspace } from "../workspace/workspace.ts";
import { findFilesTool } from "./find-files.ts";
import { searchTextTool } from "./search-text.ts";
import { argsOf, call, riskOf, TemporaryFolder } from "./testing/tool-kit.ts";

let folder: TemporaryFolder;
let workspace: Workspace;
beforeAll(async () => {
  folder = new TemporaryFolder({
    ".gitignore": "dist/\n*.log\n!keep.log\n",
    ".ainternignore": "generated/\n",
    "src/a.ts": "const one = 1;\nconst two = 2;\nconst needle = 3;\nlast();\n",
    "src/deep/b.ts": "needle needle\n",
    "src/keep.log": "needle\n",
    "src/x.log": "needle\n",
    "dist/out.js": "needle\n",
    "generated/g.ts": "needle\n",
    "sub/.ainternignore": "hidden.ts\n",
    "sub/hidden.ts": "needle\n",
    "node_modules/p/index.js": "--pre needle -- $(x)\n",
    ".env": "needle=secret\n",
    ".env.example": "needle=\n",
    ".ssh/id_rsa": "needle\n",
    ".git/config": "needle\n",
    "dash.txt": "--files\n-e x\n(unclosed\n",
    "dos.txt": "needle\r\n",
    "binary.bin": Buffer.from("needle\0"),
    "two\nlines.txt": "needle\n",
    "odd\\name.txt": "backslash\n",
  });
  writeFileSync(join(folder.above, "outside.txt"), "needle\n");
  symlinkSync("../outside.txt", join(folder.path, "link.txt"));
  symlinkSync("..", join(folder.path, "up"));
  // Whoever opens it waits for ever.
  execFileSync("mkfifo", [join(folder.path, "src", "pipe")]);
  workspace = await Workspace.open(folder.path);
});
afterAll(() => folder[Symbol.dispose]());

describe("search_text", () => {
  const search = (parameters: JsonObject) => call(searchTextTool(workspace), parameters);

  test("finds lines by file, and leaves out what is ignored, secret, linked or git's own", async () => {
    const { ok, content, data } = await search({ pattern: "needle" });
    expect(ok).toBe(true);
    expect(content.split("\n\n")).toEqual([
      ".env.example\n1: needle=",
      "dos.txt\n1: needle",
      "node_modules/p/index.js\n1: --pre needle -- $(x)",
      "src/a.ts\n3: const needle = 3;",
      "src/deep/b.ts\n1: needle needle",
      "src/keep.log\n1: needle",
      '"two\\nlines.txt"\n1: needle',
    ]);
    expect(data).toEqual({ matches: 7, files: 7, complete: true });
  });

  test("shows the lines around a match", async () => {
    expect((await search({ pattern: "needle = ", path: "src/a.ts", context: 1 })).content).toBe(
      "src/a.ts\n2- const two = 2;\n3: const needle = 3;\n4- last();",
    );
  });

  test("searches an ignored folder and a secret file that are asked for by name", async () => {
    expect((await search({ pattern: "needle", path: "dist" })).content).toBe("dist/out.js\n1: needle");
    expect((await search({ pattern: "needle", path: ".env" })).content).toBe(".env\n1: needle=secret");
    expect((await search({ pattern: "needle", path: "src", glob: "*.log" })).content).toBe(
      "src/keep.log\n1: needle",
    );
    expect(riskOf(searchTextTool(workspace), { pattern: "x", path: ".env" })).toBe("high");
    expect(riskOf(searchTextTool(workspace), { pattern: "x", path: "." })).toBe("safe");
  });

  test("says nothing about whether a secret would match", async () => {
    const [hit, miss] = [await search({ pattern: "=secret" }), await search({ pattern: "=sxcret" })];
    expect(hit).toEqual({
      ok: true,
      content: 'No matches for "=secret" in the workspace. Ignored and secret files were not searched.',
    });
    expect(miss).toEqual({
      ok: true,
      content: 'No matches for "=sxcret" in the workspace. Ignored and secret files were not searched.',
    });
  });

  test.each(["--files", "-e x", "--pre=/bin/sh"])("takes the pattern %s as a pattern", async (pattern) => {
    const { content } = await search({ pattern, literal: true, path: "dash.txt" });
    expect(content).toBe(
      pattern.startsWith("--pre")
        ? 'No matches for "--pre=/bin/sh" in dash.txt.'
        : `dash.txt\n${pattern === "--files" ? 1 : 2}: ${pattern}`,
    );
  });

  test("takes globs and paths that look like options as what they are", async () => {
    expect((await search({ pattern: "needle", glob: "--pre=x" })).content).toContain("No matches");
    expect((await search({ pattern: "needle", glob: ".git/**" })).content).toContain("No matches");
    expect((await search({ pattern: "backslash" })).content).toBe("odd\\name.txt\n1: backslash");
    mkdirSync(join(folder.path, "--files"), { recursive: true });
    writeFileSync(join(folder.path, "--files", "x"), "inside of an odd folder\n");
    expect((await search({ pattern: "odd", path: "--files" })).content).toBe(
      "--files/x\n1: inside of an odd folder",
    );
  });

  test("explains a bad expression, and finds the same text literally", async () => {
    const { ok, content } = await search({ pattern: "(unclosed", path: "dash.txt" });
    expect(ok).toBe(false);
    expect(content).toMatch(/regex parse error[\s\S]*set literal\.$/);
    expect((await search({ pattern: "(unclosed", path: "dash.txt", literal: true })).content).toContain(
      "3: (unclosed",
    );
  });

  test("finds over several lines", async () => {
    expect((await search({ pattern: "one = 1;\\nconst", path: "src" })).content).toBe(
      "src/a.ts\n1: const one = 1;\n2: const two = 2;",
    );
  });

  test("stops at the limit and says so", async () => {
    const { content, data } = await search({ pattern: "needle", limit: 2 });
    expect(content).toContain("(Stopped at 2 matches. Narrow the pattern, path or glob.)");
    expect(data).toMatchObject({ matches: 2, complete: false });
  });

  test("stays bounded with one line of many megabytes and with very many lines", async () => {
    writeFileSync(join(folder.path, "long.txt"), `${"x".repeat(20_000_000)}needle\n`);
    writeFileSync(join(folder.path, "many.txt"), "some needle line of text\n".repeat(100_000));
    expect((await search({ pattern: "needle", path: "long.txt" })).content).toBe(
      "long.txt\n(a line too long to show)",
    );
    const { content } = await search({ pattern: "needle", path: "many.txt", limit: 1_000, context: 20 });
    expect(content.length).toBeLessThan(50_000);
    writeFileSync(join(folder.path, "wide.txt"), `${"x".repeat(10_000)}needle${"y".repeat(10_000)}\n`);
    expect((await search({ pattern: "needle", path: "wide.txt" })).content.length).toBeLessThan(600);
  });

  test("stops when it is told to", async () => {
    const controller = new AbortController();
    const searching = call(searchTextTool(workspace), { pattern: "e" }, { signal: controller.signal });
    controller.abort(new Error("stop"));
    await expect(searching).rejects.toThrow("stop");
  });

  test("does not read ripgrep's configuration", async () => {
    writeFileSync(join(folder.above, "ripgreprc"), "--no-ignore\n--files\n");
    process.env.RIPGREP_CONFIG_PATH = join(folder.above, "ripgreprc");
    try {
      expect((await search({ pattern: "one", path: "src/a.ts" })).content).toBe(
        "src/a.ts\n1: const one = 1;",
      );
    } finally {
      delete process.env.RIPGREP_CONFIG_PATH;
    }
  });

  test("fails for what is not there and what is outside", async () => {
    expect(await search({ pattern: "x", path: "nothing" })).toEqual({
      ok: false,
      content: "nothing does not exist.",
    });
    for (const path of ["..", "up", "link.txt", "/etc", "src/pipe"])
      expect((await search({ pattern: "x", path })).ok).toBe(false);
  });

  test("looks into a folder that was granted beside the workspace", async () => {
    const granted = join(folder.above, "granted");
    mkdirSync(granted);
    writeFileSync(join(granted, "result.txt"), "needle\n");
    const both = await Workspace.open(folder.path, [granted]);
    const path = join(granted, "result.txt");
    expect((await call(searchTextTool(both), { pattern: "needle", path: granted })).content).toBe(
      `${path}\n1: needle`,
    );
    expect((await call(findFilesTool(both), { pattern: "*", path: granted, sort: "newest" })).content).toBe(
      path,
    );
  });

  test("is summarized with its pattern quoted", () => {
    const tool = searchTextTool(workspace);
    expect(tool.summarize(argsOf(tool, { pattern: "a\nb", glob: "*.ts" }))).toBe(
      'Search "a\\nb" in . (*.ts)',
    );
  });
});

describe("find_files", () => {
  const find = (parameters: JsonObject) => call(findFilesTool(workspace), parameters);

  test("finds by glob at any depth, without what is ignored or secret", async () => {
    expect((await find({ pattern: "*.{ts,log}" })).content).toBe("src/a.ts\nsrc/deep/b.ts\nsrc/keep.log");
    expect((await find({ pattern: ".*" })).content).toBe(
      ".ainternignore\n.env.example\n.gitignore\nsub/.ainternignore\n(Secret files, not shown: 1)",
    );
    expect((await find({ pattern: "*rsa" })).content).toBe(
      "No file in the workspace matches *rsa.\n(Secret files, not shown: 1)",
    );
  });

  test("looks below a folder, also an ignored one", async () => {
    expect((await find({ pattern: "deep/*.ts", path: "src" })).content).toBe("src/deep/b.ts");
    expect((await find({ pattern: "**", path: "dist" })).content).toBe("dist/out.js");
  });

  test("shows a name with a line break as one", async () => {
    expect((await find({ pattern: "two*" })).content).toBe('"two\\nlines.txt"');
  });

  test("shows the newest first when asked to", async () => {
    utimesSync(join(folder.path, "src/a.ts"), 1_000, 1_000);
    utimesSync(join(folder.path, "src/deep/b.ts"), 2_000, 2_000);
    expect((await find({ pattern: "src/**/*.ts", sort: "newest" })).content).toBe("src/deep/b.ts\nsrc/a.ts");
  });

  test("is bounded, and says what is missing", async () => {
    const { content, data } = await find({ pattern: "*", path: "src", limit: 1 });
    expect(content).toBe("src/a.ts\n(2 more are not shown. Narrow the pattern.)");
    expect(data).toEqual({ files: ["src/a.ts"], total: 3 });
    expect((await find({ pattern: "{a,b}".repeat(10) })).ok).toBe(false);
  });
});
