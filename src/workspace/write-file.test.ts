import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { CheckpointConflict } from "./checkpoints.ts";
import { Workspace } from "./workspace.ts";
import { PathRefused } from "./workspace-path.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "aintern-write-")));
afterAll(() => rmSync(top, { recursive: true }));

let root: string;
let outside: string;
let workspace: Workspace;
let count = 0;
beforeEach(async () => {
  const folder = join(top, `${count++}`);
  root = join(folder, "proj");
  outside = join(folder, "outside");
  mkdirSync(root, { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, "precious"), "precious");
  workspace = await Workspace.open(root, [], { checkpointFolder: join(folder, "kept") });
});

const at = (name: string) => join(root, name);
const text = (name: string) => readFileSync(at(name), "utf8");
const write = async (name: string, content: string) =>
  workspace.writeFile(await workspace.resolve(name), Buffer.from(content));
const read = async (name: string) => {
  const path = await workspace.resolve(name);
  await using file = await workspace.openFile(path);
  await workspace.remember(path, file);
};
const outsideIsUntouched = () => {
  expect(readdirSync(outside)).toEqual(["precious"]);
  expect(readFileSync(join(outside, "precious"), "utf8")).toBe("precious");
};

describe("writing", () => {
  test("makes the file and the folders above it, and leaves nothing else", async () => {
    await write("a/b/c.txt", "new");
    expect(text("a/b/c.txt")).toBe("new");
    expect(readdirSync(at("a/b"))).toEqual(["c.txt"]);
    expect(statSync(at("a/b/c.txt")).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  test("keeps the mode", async () => {
    writeFileSync(at("run.sh"), "old");
    chmodSync(at("run.sh"), 0o750);
    await write("run.sh", "new");
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o750);
  });

  test("goes through a link inside of the workspace to the file itself", async () => {
    writeFileSync(at("real"), "old");
    symlinkSync("real", at("alias"));
    await write("alias", "new");
    expect(text("real")).toBe("new");
    expect(readdirSync(root).sort()).toEqual(["alias", "real"]);
  });

  test("replaces the name of a hard link, and not what is outside", async () => {
    linkSync(join(outside, "precious"), at("hard"));
    await write("hard", "new");
    expect(text("hard")).toBe("new");
    outsideIsUntouched();
  });

  test("leaves the old file whole when it fails in the middle", async () => {
    writeFileSync(at("file"), "old");
    const path = await workspace.resolve("file");
    await expect(
      workspace.writeFile(path, Buffer.from("new"), { over: Buffer.from("other") }),
    ).rejects.toThrow("file was changed by somebody else since it was read.");
    expect(readdirSync(root)).toEqual(["file"]);
    expect(text("file")).toBe("old");
  });

  test.each([
    ["a link to a file", () => symlinkSync(join(outside, "precious"), at("swapped"))],
    ["a link to a file that is not there", () => symlinkSync(join(outside, "new"), at("swapped"))],
    ["a link to itself", () => symlinkSync("swapped", at("swapped"))],
  ])("refuses %s put there after the path was resolved", async (_, swap) => {
    writeFileSync(at("swapped"), "mine");
    const path = await workspace.resolve("swapped");
    rmSync(at("swapped"));
    swap();
    await expect(workspace.writeFile(path, Buffer.from("x"))).rejects.toThrow(
      "swapped was replaced by a link.",
    );
    outsideIsUntouched();
  });

  test("refuses a parent that became a link after the path was resolved", async () => {
    mkdirSync(at("a/b"), { recursive: true });
    const existing = await workspace.resolve("a/b/precious");
    const deeper = await workspace.resolve("a/b/new/file");
    for (const [folder, target] of [
      ["a/b", outside],
      ["a", join(outside, "..")],
    ] as const) {
      renameSync(at(folder), at("moved"));
      symlinkSync(target, at(folder));
      for (const path of [existing, deeper])
        await expect(workspace.writeFile(path, Buffer.from("x"))).rejects.toBeInstanceOf(PathRefused);
      rmSync(at(folder));
      renameSync(at("moved"), at(folder));
      outsideIsUntouched();
    }
  });

  test("refuses a parent further up that became a link, where the same names lead on outside", async () => {
    mkdirSync(at("a/b"), { recursive: true });
    mkdirSync(join(root, "../elsewhere/b"), { recursive: true });
    const path = await workspace.resolve("a/b/file");
    renameSync(at("a"), at("moved"));
    symlinkSync("../elsewhere", at("a"));
    await expect(workspace.writeFile(path, Buffer.from("x"))).rejects.toThrow("was replaced by a link.");
    expect(readdirSync(join(root, "../elsewhere/b"))).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("leaves a write-protected file alone", async () => {
    writeFileSync(at("file"), "old", { mode: 0o444 });
    await expect(write("file", "new")).rejects.toThrow("file may not be written: permission denied.");
    expect(text("file")).toBe("old");
  });

  test("follows the folder, not its path, when both are swapped while it writes", async () => {
    mkdirSync(at("folder"));
    writeFileSync(at("folder/precious"), "mine");
    const path = await workspace.resolve("folder/precious");
    const racing = Array.from({ length: 40 }, () =>
      workspace.writeFile(path, Buffer.from("x")).catch(() => {}),
    );
    for (let turn = 0; turn < 40; turn++) {
      renameSync(at("folder"), at("away"));
      symlinkSync(outside, at("folder"));
      await new Promise(setImmediate);
      rmSync(at("folder"));
      renameSync(at("away"), at("folder"));
      await new Promise(setImmediate);
    }
    await Promise.all(racing);
    outsideIsUntouched();
  });

  test("refuses folders, pipes and sockets with the reason, and nothing hangs", async () => {
    mkdirSync(at("folder"));
    execFileSync("mkfifo", [at("pipe")]);
    const server = createServer().listen(at("socket"));
    writeFileSync(at("file"), "");
    await expect(write("folder", "x")).rejects.toThrow("folder is a folder, not a file.");
    await expect(write(".", "x")).rejects.toThrow(". is a folder, not a file.");
    await expect(write("pipe", "x")).rejects.toThrow(
      "pipe is not a plain file but a device, pipe or socket.",
    );
    await expect(write("socket", "x")).rejects.toThrow("socket is not a plain file but");
    await expect(write("file/below", "x")).rejects.toBeInstanceOf(PathRefused);
    await expect(write("x".repeat(300), "x")).rejects.toBeInstanceOf(PathRefused);
    server.close();
  });
});

describe("a file the agent has read", () => {
  test("is not overwritten when somebody changed it since, until it is read again", async () => {
    writeFileSync(at("file"), "first");
    await read("file");
    writeFileSync(at("file"), "other");
    await expect(write("file", "mine")).rejects.toThrow("Read it again");
    expect(text("file")).toBe("other");
    await read("file");
    await write("file", "mine");
    await write("file", "mine too");
    expect(text("file")).toBe("mine too");
  });

  test("may have been touched", async () => {
    writeFileSync(at("file"), "same");
    await read("file");
    utimesSync(at("file"), 1, 1);
    await write("file", "mine");
    expect(text("file")).toBe("mine");
  });

  test("may be gone", async () => {
    writeFileSync(at("file"), "same");
    await read("file");
    rmSync(at("file"));
    await write("file", "mine");
    expect(text("file")).toBe("mine");
  });
});

describe("checkpoints", () => {
  const checkpoints = () => {
    if (!workspace.checkpoints) throw new Error("there are none");
    return workspace.checkpoints;
  };

  test("bring back what was there, newest first, with its mode", async () => {
    writeFileSync(at("file"), Buffer.from([0, 255, 10]));
    chmodSync(at("file"), 0o700);
    const first = await write("file", "one");
    const second = await write("file", "two");
    await checkpoints().restore(second.checkpoint ?? "");
    expect(text("file")).toBe("one");
    rmSync(at("file"));
    await checkpoints().restore(first.checkpoint ?? "", { overwrite: true });
    expect(readFileSync(at("file"))).toEqual(Buffer.from([0, 255, 10]));
    expect(statSync(at("file")).mode & 0o777).toBe(0o700);
  });

  test("remove a file that was not there, and an undo can be undone", async () => {
    const { checkpoint } = await write("deep/file", "one");
    await checkpoints().restore(checkpoint ?? "");
    expect(existsSync(at("deep/file"))).toBe(false);
    const all = await checkpoints().list();
    expect(all.map(({ path, before, after }) => [path, before !== null, after !== null])).toEqual([
      ["deep/file", false, true],
      ["deep/file", true, false],
    ]);
    await checkpoints().restore(all[1]?.id ?? "");
    expect(text("deep/file")).toBe("one");
  });

  test("do not overwrite what somebody did since", async () => {
    writeFileSync(at("file"), "old");
    const { checkpoint } = await write("file", "one");
    writeFileSync(at("file"), "theirs");
    await expect(checkpoints().restore(checkpoint ?? "")).rejects.toBeInstanceOf(CheckpointConflict);
    expect(text("file")).toBe("theirs");
  });

  test("do not write through a link that came since", async () => {
    writeFileSync(at("file"), "old");
    const { checkpoint } = await write("file", "one");
    rmSync(at("file"));
    symlinkSync(join(outside, "precious"), at("file"));
    await expect(checkpoints().restore(checkpoint ?? "", { overwrite: true })).rejects.toBeInstanceOf(
      PathRefused,
    );
    outsideIsUntouched();
  });

  test("keep the same content once, private, and outlive a line cut short", async () => {
    await write("a", "same");
    await write("a", "other");
    await write("a", "same");
    await write("a", "x");
    const folder = checkpoints().folder;
    const kept = readdirSync(join(folder, "contents"), { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile())).toHaveLength(2);
    expect(statSync(folder).mode & 0o077).toBe(0);
    const log = join(folder, "checkpoints.jsonl");
    writeFileSync(log, `${readFileSync(log, "utf8")}\n{"id":"cut`);
    await write("a", "y");
    expect(await checkpoints().list()).toHaveLength(5);
    await expect(checkpoints().restore("cut")).rejects.toThrow("There is no checkpoint cut.");
  });
});

test("without a folder for checkpoints nothing is kept", async () => {
  const plain = await Workspace.open(root);
  expect(await plain.writeFile(await plain.resolve("x"), Buffer.from("1"))).toEqual({
    before: undefined,
    checkpoint: undefined,
  });
});
