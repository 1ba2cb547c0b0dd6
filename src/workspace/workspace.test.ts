import { execFileSync } from "node:child_process";
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Workspace } from "./workspace.ts";
import { PathRefused } from "./workspace-path.ts";

let top: string;
let workspace: Workspace;
beforeAll(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "aintern-workspace-")));
  mkdirSync(join(top, "proj", "src"), { recursive: true });
  mkdirSync(join(top, "proj-evil"));
  writeFileSync(join(top, "secret"), "outside");
  writeFileSync(join(top, "proj-evil", "x"), "outside");
  writeFileSync(join(top, "proj", "src", "a.ts"), "inside");
  const link = (target: string, name: string) => symlinkSync(target, join(top, "proj", name));
  link("src/a.ts", "good-link");
  link("../secret", "bad-link");
  link("..", "bad-parent");
  link("src", "good-parent");
  link("nowhere", "dangling");
  link("../nowhere", "dangling-outside");
  link("loop-b", "loop-a");
  link("loop-a", "loop-b");
  workspace = await Workspace.open(join(top, "proj"));
});
afterAll(() => rmSync(top, { recursive: true }));

describe("a path inside of the workspace", () => {
  test.each([
    ["src/a.ts", "src/a.ts"],
    ["./src/../src/a.ts", "src/a.ts"],
    ["good-link", "src/a.ts"],
    ["good-parent/a.ts", "src/a.ts"],
    ["new/deep/file.ts", "new/deep/file.ts"],
    ["good-parent/new.ts", "src/new.ts"],
    ["%2e%2e/x", "%2e%2e/x"],
    ["..hidden/x", "..hidden/x"],
    ["", "."],
    [".", "."],
  ])("%s is %s", async (written, expected) => {
    const { relative, absolute } = await workspace.resolve(written);
    expect(relative).toBe(expected);
    expect(absolute).toBe(expected === "." ? workspace.root : join(workspace.root, expected));
  });

  test("may be absolute", async () => {
    expect((await workspace.resolve(join(workspace.root, "src/a.ts"))).relative).toBe("src/a.ts");
  });

  test("may be reached through another name of the root", async () => {
    symlinkSync(join(top, "proj"), join(top, "alias"));
    expect((await workspace.resolve(join(top, "alias/src/a.ts"))).relative).toBe("src/a.ts");
    expect((await Workspace.open(join(top, "alias"))).root).toBe(workspace.root);
  });
});

describe("a path outside of the workspace is refused", () => {
  test.each([
    "../secret",
    "src/../../secret",
    "/etc/passwd",
    "/",
    "..",
    "bad-link",
    "bad-parent",
    "bad-parent/secret",
    "bad-parent/new-file",
    "bad-parent/proj-evil/x",
    "dangling-outside",
    "src/a.ts/below-a-file",
    "dangling",
    "dangling/x",
    "loop-a",
    "a\0b",
    "x".repeat(5_000),
  ])("%j", async (written) => {
    await expect(workspace.resolve(written)).rejects.toBeInstanceOf(PathRefused);
  });

  test("also where its name only begins like the root's", async () => {
    await expect(workspace.resolve(join(top, "proj-evil/x"))).rejects.toBeInstanceOf(PathRefused);
  });

  test("with the same words, whether it exists or not", async () => {
    const words = (path: string) =>
      workspace.resolve(path).catch((error: Error) => error.message.replaceAll(path, "it"));
    expect(await words(join(top, "secret"))).toBe(await words(join(top, "nothing")));
    expect(await words("/etc/passwd")).toBe(await words("/etc/passwd/x"));
  });

  test("however it is put together", async () => {
    const part = fc.constantFrom(
      "..",
      ".",
      "src",
      "good-parent",
      "bad-parent",
      "loop-a",
      "dangling",
      "",
      "a.ts",
      "proj",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), fc.boolean(), async (parts, absolute) => {
        const written = (absolute ? `${top}/` : "") + parts.join("/");
        const found = await workspace.resolve(written).catch((error: unknown) => error);
        if (found instanceof PathRefused) return;
        const { absolute: path } = found as { absolute: string };
        expect(path === workspace.root || path.startsWith(`${workspace.root}/`)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe("a granted folder", () => {
  test("may be used by its absolute path, and nothing beside it", async () => {
    const both = await Workspace.open(join(top, "proj"), [join(top, "proj-evil")]);
    const path = join(top, "proj-evil", "x");
    expect(await both.resolve(path)).toEqual({ absolute: path, relative: path });
    await expect(both.resolve(join(top, "secret"))).rejects.toBeInstanceOf(PathRefused);
    await expect(both.resolve(join(top, "proj-evil", "..", "secret"))).rejects.toBeInstanceOf(PathRefused);
    expect((await both.resolve("src/a.ts")).relative).toBe("src/a.ts");
  });
});

describe("opening a file", () => {
  const openRefusal = async (name: string) => {
    const error = await workspace
      .resolve(name)
      .then((path) => workspace.openFile(path))
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PathRefused);
    return (error as Error).message;
  };

  test("gives its content", async () => {
    await using file = await workspace.openFile(await workspace.resolve("good-link"));
    expect(await file.readFile("utf8")).toBe("inside");
  });

  test("that has been replaced by a link since it was resolved is refused", async () => {
    const path = join(top, "proj", "swapped");
    writeFileSync(path, "inside");
    const resolved = await workspace.resolve("swapped");
    rmSync(path);
    symlinkSync("../secret", path);
    await expect(workspace.openFile(resolved)).rejects.toThrow("swapped was replaced by a link.");
  });

  test("whose folder has been replaced by a link since it was resolved is refused", async () => {
    mkdirSync(join(top, "proj", "folder"));
    writeFileSync(join(top, "proj", "folder", "secret"), "inside");
    const resolved = await workspace.resolve("folder/secret");
    renameSync(join(top, "proj", "folder"), join(top, "proj", "away"));
    symlinkSync("..", join(top, "proj", "folder"));
    await expect(workspace.openFile(resolved)).rejects.toThrow("was replaced");
  });

  test("a folder, a pipe, a socket and a missing file are refused with the reason, and nothing hangs", async () => {
    execFileSync("mkfifo", [join(top, "proj", "pipe")]);
    const server = createServer().listen(join(top, "proj", "socket"));
    expect(await openRefusal("src")).toBe("src is a folder. List it instead.");
    expect(await openRefusal("pipe")).toBe("pipe is not a plain file but a device, pipe or socket.");
    expect(await openRefusal("socket")).toBe("socket is not a plain file but a device, pipe or socket.");
    expect(await openRefusal("missing")).toBe("missing does not exist.");
    server.close();
  });

  test("a hard link is a file like any other", async () => {
    linkSync(join(top, "proj", "src", "a.ts"), join(top, "proj", "hard"));
    await using file = await workspace.openFile(await workspace.resolve("hard"));
    expect(await file.readFile("utf8")).toBe("inside");
  });
});
