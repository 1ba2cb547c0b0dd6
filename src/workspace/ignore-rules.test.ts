import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { IgnoreRules } from "./ignore-rules.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "aintern-ignore-")));
afterAll(() => rmSync(top, { recursive: true }));

let folders = 0;
function project(files: Readonly<Record<string, string>>): string {
  const root = join(top, `p${folders++}`);
  mkdirSync(root);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

function ignored(root: string, ...paths: string[]): string[] {
  const rules = new IgnoreRules(root);
  return paths.filter((path) => rules.ignores(join(root, path), path.endsWith("/")));
}

test("rules further down win, and nothing below an ignored folder comes back", () => {
  const root = project({
    ".gitignore": "*.log\n/dist/\n# not this\n!keep.log\nlogs/\n",
    "sub/.gitignore": "!sub.log\n*.tmp\n",
    "logs/.gitignore": "!a.log\n",
  });
  const paths = [
    "a.log",
    "keep.log",
    "sub/a.log",
    "sub/sub.log",
    "sub/x.tmp",
    "x.tmp",
    "dist/",
    "dist/a",
    "src/dist/",
    "logs/a.log",
  ];
  expect(ignored(root, ...paths)).toEqual([
    "a.log",
    "sub/a.log",
    "sub/x.tmp",
    "dist/",
    "dist/a",
    "logs/a.log",
  ]);
});

test(".ainternignore has the last word in its folder", () => {
  const root = project({ ".gitignore": "*.gen.ts\n", ".ainternignore": "!wanted.gen.ts\nprivate/\n" });
  expect(ignored(root, "a.gen.ts", "wanted.gen.ts", "private/x", "public/x")).toEqual([
    "a.gen.ts",
    "private/x",
  ]);
});

test("a workspace inside of a repository keeps the rules of the repository", () => {
  const root = project({ ".git/info/exclude": "mine\n", ".gitignore": "out/\n", "packages/a/x": "" });
  expect(ignored(join(root, "packages/a"), "out/x", "mine", "x")).toEqual(["out/x", "mine"]);
});

test("a workspace that is itself ignored is not empty", () => {
  const root = project({ ".git/HEAD": "", ".gitignore": "build/\n", "build/x": "" });
  expect(ignored(join(root, "build"), "x", "y/")).toEqual([]);
});

test("a link, a folder and a pattern made to hang are no rules", () => {
  const outside = project({ rules: "*\n" });
  const root = project({ "a/.gitignore/x": "", ".gitignore": `${"*a".repeat(40)}*b\n*.log\n` });
  mkdirSync(join(root, "b"));
  symlinkSync(join(outside, "rules"), join(root, "b/.gitignore"));
  expect(ignored(root, "a/x", "b/x", "a".repeat(200), "x.log")).toEqual(["x.log"]);
});

test("it agrees with git", () => {
  const part = fc.constantFrom("a", "b", "*", "**", "a*", "?", "[ab]", "*.x");
  const line = fc
    .tuple(fc.boolean(), fc.boolean(), fc.array(part, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(
      ([not, anchored, parts, folder]) =>
        `${not ? "!" : ""}${anchored ? "/" : ""}${parts.join("/")}${folder ? "/" : ""}`,
    );
  const rules = fc.array(line, { maxLength: 4 }).map((lines) => `${lines.join("\n")}\n`);
  const files = ["a", "b.x", "ab/a", "ab/b.x", "b/a/a", "b/a/b", "b/b/a.x"];
  fc.assert(
    fc.property(rules, rules, (upper, lower) => {
      const root = project({
        ...Object.fromEntries(files.map((file) => [file, ""])),
        ".gitignore": upper,
        "b/.gitignore": lower,
      });
      execFileSync("git", ["init", "-q"], { cwd: root });
      const listed = execFileSync("git", ["ls-files", "-o", "--exclude-standard"], {
        cwd: root,
        encoding: "utf8",
      });
      const ours = ignored(root, ...files);
      const kept = files.filter((file) => !ours.includes(file));
      expect(kept).toEqual(files.filter((file) => listed.split("\n").includes(file)));
    }),
    { numRuns: 40 },
  );
});
