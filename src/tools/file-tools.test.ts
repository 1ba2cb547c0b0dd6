import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JsonObject } from "../model/json.ts";
import { Workspace } from "../workspace/workspace.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";
import { call, riskOf } from "./testing/tool-kit.ts";

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

describe("read_file and images", () => {
  const images: Record<string, Buffer> = {
    "image/png": Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1"),
    "image/jpeg": Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 1]),
    "image/gif": Buffer.from("GIF89a\x01\0\x01\0", "latin1"),
    "image/webp": Buffer.from("RIFF\x10\0\0\0WEBPVP8 ", "latin1"),
  };
  const seeing = (parameters: JsonObject) => call(readFileTool(workspace, { images: true }), parameters);

  test.each(Object.entries(images))(
    "shows %s, known by its content, to a model that sees",
    async (mediaType, bytes) => {
      writeFileSync(join(root, "picture.txt"), bytes);
      const { ok, images: parts } = await seeing({ path: "picture.txt" });
      expect([ok, parts]).toEqual([true, [{ type: "image", mediaType, data: bytes.toString("base64") }]]);
    },
  );

  test("tells a model that does not see, and one that asks for too much", async () => {
    writeFileSync(join(root, "picture.png"), images["image/png"] ?? "");
    expect((await call(readFileTool(workspace), { path: "picture.png" })).content).toBe(
      "picture.png is an image (image/png, 16 bytes), and the model in use cannot see images.",
    );
    writeFileSync(
      join(root, "big.png"),
      Buffer.concat([images["image/png"] ?? Buffer.alloc(0), Buffer.alloc(6_000_000)]),
    );
    expect(await seeing({ path: "big.png" })).toMatchObject({ ok: false });
    rmSync(join(root, "big.png"));
    rmSync(join(root, "picture.png"));
    rmSync(join(root, "picture.txt"));
  });
});

test("reading is safe, and reading a secret is not", () => {
  const tool = readFileTool(workspace);
  for (const path of [".env", "a/../.ENV", ".ssh/id_rsa", join(root, ".npmrc"), "x.pem"])
    expect(riskOf(tool, { path })).toBe("high");
  for (const path of ["src/long.ts", ".env.example", "README.md"])
    expect(riskOf(tool, { path })).toBe("safe");
  expect(riskOf(listDirectoryTool(workspace), { path: ".ssh" })).toBe("high");
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

  test("leaves out what is ignored and what is secret, and says so", async () => {
    const files = {
      "l/.gitignore": "*.log\nout/\n",
      "l/.env": "K=1",
      "l/a.log": "",
      "l/b.ts": "",
      "l/out/x": "",
      "l/.ssh/id_rsa": "",
    };
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(root, name, ".."), { recursive: true });
      writeFileSync(join(root, name), content);
    }
    expect((await list({ path: "l", depth: 2 })).content.split("\n")).toEqual([
      ".gitignore (11 bytes)",
      "b.ts (0 bytes)",
      "(Ignored, not shown: l/out/, l/a.log)",
      "(Secret files, not shown: 2)",
    ]);
    expect((await list({ path: "l/out" })).content).toBe("x (0 bytes)");
    expect((await list({ path: "l/.ssh" })).content).toBe("id_rsa (0 bytes)");
    rmSync(join(root, "l"), { recursive: true });
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
