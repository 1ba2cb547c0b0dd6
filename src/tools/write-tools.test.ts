import {
  closeSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { Workspace } from "../workspace/workspace.ts";
import { editFileTool } from "./edit-file.ts";
import { readFileTool } from "./read-file.ts";
import { argsOf, call, riskOf, TemporaryFolder } from "./testing/tool-kit.ts";
import { writeFileTool } from "./write-file.ts";

let folder: TemporaryFolder;
let workspace: Workspace;
beforeEach(async () => {
  folder = new TemporaryFolder({ "src/a.ts": "one\ntwo\nthree\n" });
  workspace = await Workspace.open(folder.path, [], { checkpointFolder: join(folder.above, "kept") });
});
afterEach(() => folder[Symbol.dispose]());

const at = (name: string) => join(folder.path, name);
const text = (name: string) => readFileSync(at(name), "utf8");
const read = (path: string) => call(readFileTool(workspace), { path });
const write = (path: string, content: string) => call(writeFileTool(workspace), { path, content });
const edit = (path: string, ...edits: JsonObject[]) => call(editFileTool(workspace), { path, edits });

describe("write_file", () => {
  test("creates a file and the folders above it", async () => {
    expect(await write("new/deep/x.ts", "a\nb\n")).toMatchObject({
      ok: true,
      content: "Created new/deep/x.ts: 2 lines.",
      data: { path: "new/deep/x.ts", created: true, added: 2, removed: 0 },
    });
    expect(text("new/deep/x.ts")).toBe("a\nb\n");
  });

  test("replaces a file, shows the change to the user and keeps what was there", async () => {
    const { content, data } = await write("src/a.ts", "one\n2\nthree\n");
    expect(content).toBe("Replaced src/a.ts: 3 lines (+1 -1).");
    expect(data).toMatchObject({
      diff: "--- src/a.ts\n+++ src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n",
      checkpoint: expect.any(String),
    });
    const [checkpoint] = (await workspace.checkpoints?.list()) ?? [];
    await workspace.checkpoints?.restore(checkpoint?.id ?? "");
    expect(text("src/a.ts")).toBe("one\ntwo\nthree\n");
  });

  test("keeps the byte order mark, the encoding and the line ends", async () => {
    writeFileSync(at("marked"), "\ufeffa\r\nb\r\n");
    await write("marked", "x\ny\n");
    expect(text("marked")).toBe("\ufeffx\r\ny\r\n");
    writeFileSync(at("wide"), Buffer.from("\ufeffa\n", "utf16le"));
    await write("wide", "é\n");
    expect(readFileSync(at("wide"))).toEqual(Buffer.from("\ufeffé\n", "utf16le"));
  });

  test("refuses a file that changed since it was read", async () => {
    await read("src/a.ts");
    writeFileSync(at("src/a.ts"), "theirs\n");
    expect(await write("src/a.ts", "mine\n")).toEqual({
      ok: false,
      content: "src/a.ts was changed by somebody else since it was read. Read it again, then change it.",
    });
    expect(text("src/a.ts")).toBe("theirs\n");
    await read("src/a.ts");
    expect((await write("src/a.ts", "mine\n")).ok).toBe(true);
  });

  test("says in one line what it will do", () => {
    const tool = writeFileTool(workspace);
    const summary = (path: string) => tool.summarize(argsOf(tool, { path, content: "a\nb" }));
    expect(summary("src/a.ts")).toBe("Overwrite src/a.ts (2 lines)");
    expect(summary("src/b.ts")).toBe("Create src/b.ts (2 lines)");
    expect(tool.touches?.(argsOf(tool, { path: "src/x/../a.ts", content: "" }))).toEqual([at("src/a.ts")]);
  });
});

describe("edit_file", () => {
  test("makes several edits at once and shows them", async () => {
    const result = await edit(
      "src/a.ts",
      { oldText: "one", newText: "1" },
      { oldText: "three", newText: "3" },
    );
    expect(result).toMatchObject({
      ok: true,
      content: "Changed src/a.ts (+2 -2).\n@@ -1,3 +1,3 @@\n-one\n+1\n two\n-three\n+3",
      data: { replaced: 2, diff: expect.stringMatching(/^--- src\/a\.ts\n/) },
    });
    expect(text("src/a.ts")).toBe("1\ntwo\n3\n");
  });

  test("makes all of them or none", async () => {
    const result = await edit(
      "src/a.ts",
      { oldText: "one", newText: "1" },
      { oldText: "four", newText: "4" },
    );
    expect(result.ok).toBe(false);
    expect(result.content).toMatch(/^src\/a\.ts was not changed\. Edit 2 of 2: oldText was not found\./);
    expect(text("src/a.ts")).toBe("one\ntwo\nthree\n");
  });

  test("edits a CRLF file with a mark by LF text", async () => {
    writeFileSync(at("dos.txt"), "\ufeffa\r\nb\r\nc\r\n");
    expect((await edit("dos.txt", { oldText: "a\nb\n", newText: "x\ny\n" })).ok).toBe(true);
    expect(text("dos.txt")).toBe("\ufeffx\r\ny\r\nc\r\n");
  });

  test("does not touch what is not text", async () => {
    writeFileSync(at("latin1"), Buffer.from([0x61, 0xe9, 0x0a]));
    writeFileSync(at("binary"), Buffer.from([0x61, 0, 0x0a]));
    for (const name of ["latin1", "binary"])
      expect(await edit(name, { oldText: "a", newText: "b" })).toMatchObject({ ok: false });
    expect(readFileSync(at("latin1"))).toEqual(Buffer.from([0x61, 0xe9, 0x0a]));
  });

  test("refuses a file that changed since it was read", async () => {
    await read("src/a.ts");
    writeFileSync(at("src/a.ts"), "one\ntwo\nthree\nfour\n");
    expect((await edit("src/a.ts", { oldText: "two", newText: "2" })).content).toContain("Read it again");
  });

  test("tells a missing file and a folder", async () => {
    expect((await edit("no.ts", { oldText: "a", newText: "b" })).content).toBe("no.ts does not exist.");
    expect((await edit("src", { oldText: "a", newText: "b" })).ok).toBe(false);
  });
});

describe("both", () => {
  const tools = () => [writeFileTool(workspace), editFileTool(workspace)] as const;

  test.each([
    ".git/hooks/pre-commit",
    ".GIT/config",
    "sub/.git/config",
    ".aintern/settings.json",
    ".AINTERN/settings.json",
    ".bashrc",
    "src/../.zshrc",
    ".env",
    ".gitattributes",
  ])("writing %s is of high risk", (path) => {
    const [writer, editor] = tools();
    expect(riskOf(writer, { path, content: "" })).toBe("high");
    expect(riskOf(editor, { path, edits: [{ oldText: "a", newText: "b" }] })).toBe("high");
  });

  test("a file too large to hold is left alone, and told at once", async () => {
    const file = openSync(at("huge"), "w");
    ftruncateSync(file, 2 * 1024 ** 3);
    closeSync(file);
    expect((await read("huge")).content).toBe(
      "huge is a binary file of 2147483648 bytes. It cannot be shown as text.",
    );
    expect((await write("huge", "x")).content).toContain("too large");
    expect((await edit("huge", { oldText: "a", newText: "b" })).content).toContain("larger than");
    expect(statSync(at("huge")).size).toBe(2 * 1024 ** 3);
  });

  test("whoever is asked learns why, in a line that a name cannot break", () => {
    const tool = writeFileTool(workspace);
    const args = argsOf(tool, { path: ".git/hooks/x\ny\u202e", content: "" });
    expect(tool.detailsOf?.(args)).toEqual([
      "Such a file can make other programs run something, now or later.",
    ]);
    expect(tool.summarize(args)).toBe('Create ".git/hooks/x\\ny\\u{202e}" (0 lines)');
    const reader = readFileTool(workspace);
    expect(reader.detailsOf?.(argsOf(reader, { path: ".env" }))).toEqual([
      "Such a file usually holds keys, passwords or tokens.",
    ]);
  });

  test("writing an ordinary file is of medium risk", () => {
    const [writer, editor] = tools();
    expect(riskOf(writer, { path: "src/a.ts", content: "" })).toBe("medium");
    expect(riskOf(editor, { path: "src/a.ts", edits: [{ oldText: "a", newText: "b" }] })).toBe("medium");
  });

  test("a harmless name that leads to a protected file is refused", async () => {
    mkdirSync(at(".git/hooks"), { recursive: true });
    symlinkSync(".git/hooks", at("scripts"));
    writeFileSync(at(".env"), "KEY=1");
    symlinkSync(".env", at("notes.txt"));
    for (const path of ["scripts/pre-commit", "notes.txt"]) {
      expect((await write(path, "x")).content).toContain("must be asked for by its own name");
      expect((await edit(path, { oldText: "KEY", newText: "x" })).ok).toBe(false);
    }
    expect((await read("notes.txt")).content).toContain("must be asked for by its own name");
    expect(readdirSync(at(".git/hooks"))).toEqual([]);
    expect(text(".env")).toBe("KEY=1");
  });

  test.each(["../x", "a/../../x", "/etc/aintern-test", "a\0b", "out/x", "out-file", "dangling", "loop"])(
    "%j is refused and nothing outside changes",
    async (path) => {
      writeFileSync(join(folder.above, "precious"), "precious");
      symlinkSync("..", at("out"));
      symlinkSync("../precious", at("out-file"));
      symlinkSync("../nothing", at("dangling"));
      symlinkSync("loop", at("loop"));
      expect((await write(path, "x")).ok).toBe(false);
      expect((await edit(path, { oldText: "precious", newText: "x" })).ok).toBe(false);
      expect(readdirSync(folder.above).sort()).toEqual(["precious", "proj"]);
      expect(readFileSync(join(folder.above, "precious"), "utf8")).toBe("precious");
    },
  );

  test("a hard link to a file outside: the name is replaced, the file is not", async () => {
    writeFileSync(join(folder.above, "precious"), "precious");
    linkSync(join(folder.above, "precious"), at("hard"));
    linkSync(join(folder.above, "precious"), at("hard2"));
    expect((await write("hard", "mine")).ok).toBe(true);
    expect((await edit("hard2", { oldText: "prec", newText: "del" })).ok).toBe(true);
    expect([text("hard"), text("hard2")]).toEqual(["mine", "delious"]);
    expect(readFileSync(join(folder.above, "precious"), "utf8")).toBe("precious");
  });

  test("a literal %2e%2e stays inside", async () => {
    expect((await write("%2e%2e/x", "x")).ok).toBe(true);
    expect(text("%2e%2e/x")).toBe("x");
  });

  test("a folder moved away and replaced by a link is refused", async () => {
    const resolved = await workspace.resolve("src/new.ts");
    renameSync(at("src"), at("moved"));
    symlinkSync("..", at("src"));
    await expect(workspace.writeFile(resolved, Buffer.from("x"))).rejects.toThrow();
    rmSync(at("src"));
    expect(readdirSync(folder.above)).toEqual(["proj"]);
  });
});
