import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explain } from "../explain.ts";
import { basisOf, commandCall } from "../testing/judging.ts";
import { gitRunsPrograms, settingsRunPrograms } from "./git-settings.ts";

describe("a repository's settings", () => {
  it.each([
    "[core]\n\tfsmonitor = ./x",
    "[CORE]\nFsMonitor=./x",
    "[core] pager = sh -c id",
    '[diff "x"]\n  textconv = ./x',
    '[filter "x"]\nclean = ./x',
    "[core]\nfsmon\\\nitor = ./x",
    "[include]\npath = ../evil",
    '[includeIf "gitdir:/"]\npath = x',
    "[diff]\nexternal = ./x # why not",
    "[gpg]\nprogram = ./x",
  ])("run a program: %j", (text) => {
    expect(settingsRunPrograms(text)).toBe(true);
  });

  it.each([
    "",
    "[core]\nrepositoryformatversion = 0\nfilemode = true\nbare = false",
    "[core]\nfsmonitor = true",
    '[remote "origin"]\nurl = git@x:y\nfetch = +refs/heads/*:refs/remotes/origin/*',
    "[core]\nhooksPath = .husky/_",
    "# [core] pager = x",
  ])("run none: %j", (text) => {
    expect(settingsRunPrograms(text)).toBe(false);
  });
});

describe("git in a folder", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "aintern-git-"));
    mkdirSync(join(folder, "sub/deep"), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const configure = (repository: string, text: string) => {
    mkdirSync(repository, { recursive: true });
    writeFileSync(join(repository, "config"), text);
  };

  it("obeys the settings of the repository it is in, also from below and through a worktree", () => {
    configure(join(folder, ".git"), "[core]\nfsmonitor = ./x");
    expect(gitRunsPrograms(join(folder, "sub/deep"))).toBe(true);
    configure(join(folder, ".git"), "[core]\nbare = false");
    expect(gitRunsPrograms(join(folder, "sub/deep"))).toBe(false);
    configure(join(folder, "elsewhere"), "[core]\npager = ./x");
    writeFileSync(join(folder, "sub/.git"), "gitdir: ../elsewhere\n");
    expect(gitRunsPrograms(join(folder, "sub/deep"))).toBe(true);
  });

  it("obeys the settings of submodules, into which it looks", () => {
    configure(join(folder, ".git"), "[core]\nbare = false");
    writeFileSync(join(folder, ".gitmodules"), '[submodule "a"]\n\tpath = sub\n\turl = ../a\n');
    expect(gitRunsPrograms(folder)).toBe(false);
    configure(join(folder, "sub/.git"), "[core]\nfsmonitor = ./x");
    expect(gitRunsPrograms(folder)).toBe(true);
  });

  it("obeys a bare repository that lies there, and a hook for reading", () => {
    for (const name of ["objects", "refs"]) mkdirSync(join(folder, "sub", name));
    writeFileSync(join(folder, "sub/HEAD"), "ref: refs/heads/main\n");
    configure(join(folder, "sub"), "[core]\nfsmonitor = ./x");
    expect(gitRunsPrograms(join(folder, "sub"))).toBe(true);
    configure(join(folder, ".git"), "[core]\nhooksPath = hooks");
    expect(gitRunsPrograms(folder)).toBe(false);
    mkdirSync(join(folder, "hooks"));
    writeFileSync(join(folder, "hooks/post-index-change"), "");
    expect(gitRunsPrograms(folder)).toBe(true);
  });

  it("that would run a program asks, whatever allows it", async () => {
    execFileSync("git", ["init", "-q", folder]);
    const place = { root: folder, home: "/home/me" };
    const basis = {
      ...basisOf({ allow: ["run_command", "run_command(git status)"] }),
      place,
      gitRunsPrograms,
    };
    const judge = async (command: string) => (await explain(commandCall(command), basis)).decision;
    expect(await judge("git status")).toBe("allow");
    execFileSync("git", ["-C", folder, "config", "core.fsmonitor", "./x"]);
    expect(await judge("git status")).toBe("ask");
    expect(await judge("git log | cat")).toBe("ask");
    expect(await judge("ls")).toBe("allow");
  });
});
