import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const version: string = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;

describe("the launcher", () => {
  let bare: string;
  beforeAll(() => {
    bare = mkdtempSync(join(tmpdir(), "aintern-bare-"));
    cpSync(join(root, "bin"), join(bare, "bin"), { recursive: true });
    cpSync(join(root, "package.json"), join(bare, "package.json"));
  });
  afterAll(() => rmSync(bare, { recursive: true }));

  const launch = (...args: string[]) =>
    execFileSync(process.execPath, [join(bare, "bin/aintern.js"), ...args], { encoding: "utf8" });

  test("tells version and help without loading anything else: there is nothing else here", () => {
    expect(launch("--version")).toBe(`${version}\n`);
    expect(launch("-v")).toBe(`${version}\n`);
    expect(launch("--help")).toContain("aintern models");
  });

  test("has a help that fits a screen of 80 by 24", () => {
    const lines = launch("-h").trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(24);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  test("says on too old a Node which one it needs", () => {
    const old = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.20.2"})`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--import", old, join(bare, "bin/aintern.js"), "hi"],
      {
        encoding: "utf8",
      },
    );
    expect(status).toBe(2);
    expect(stderr).toMatch(/^aintern needs Node 22\.13 or newer; this is v\d+/);
  });

  test("answers --help and --version also behind other words", () => {
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [join(root, "bin/aintern.js"), ...args], { encoding: "utf8" });
    expect(run("models", "--help")).toContain("aintern models");
    expect(run("-p", "--version")).toBe(`${version}\n`);
  });
});

describe("the package", () => {
  test("has a lock file that names no registry", () => {
    expect(readFileSync(join(root, "package-lock.json"), "utf8")).not.toMatch(/"resolved"/);
  });

  test("needs no packages at run time but the one that brings a program", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    expect(Object.keys(manifest.dependencies)).toEqual(["@vscode/ripgrep"]);
  });
});
