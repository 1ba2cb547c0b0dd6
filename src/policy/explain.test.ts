import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { explain } from "./explain.ts";
import type { PolicyCall } from "./policy.ts";
import type { PolicySettings } from "./rules/policy-settings-schema.ts";
import { basisOf, callOf, commandCall, judgeCommand } from "./testing/judging.ts";

const judge = (call: PolicyCall, settings?: PolicySettings) => explain(call, basisOf(settings));
const answer = async (call: PolicyCall, settings?: PolicySettings) => (await judge(call, settings)).decision;
const write = (path: string) => callOf("write_file", { path, content: "" });
const read = (path: string) => callOf("read_file", { path });

describe("an explanation", () => {
  it("tells each part of a command line with its rule, its risk and its warnings", async () => {
    const explained = await judgeCommand("git log && rm -rf build > out.txt", {
      allow: ["run_command(git log *)"],
      deny: [{ rule: "run_command(rm *)", reason: "Use the trash." }],
    });
    expect(explained).toEqual({
      decision: "deny",
      risk: "high",
      source: "user",
      rule: "run_command(rm *)",
      reason: "Use the trash.",
      parts: [
        {
          text: "git log",
          decision: "allow",
          risk: "safe",
          source: "user",
          rule: "run_command(git log *)",
          reason: "The rule run_command(git log *) allows it.",
          warnings: [],
        },
        {
          text: "rm -rf build",
          decision: "deny",
          risk: "high",
          source: "user",
          rule: "run_command(rm *)",
          reason: "Use the trash.",
          warnings: ["It deletes folders with all that is in them."],
        },
        {
          text: "> out.txt",
          decision: "ask",
          risk: "medium",
          source: "default",
          reason: "It writes out.txt.",
          warnings: [],
        },
      ],
    });
    expect(JSON.parse(JSON.stringify(explained))).toEqual(explained);
  });
});

describe("of several rules", () => {
  const rules = (allow: string[], ask: string[] = [], deny: string[] = []): PolicySettings => ({
    allow,
    ask,
    deny,
  });

  it("one that denies wins over all that allow, however exact they are", async () => {
    const settings = rules(["*", "run_command", "run_command(git push)"], [], ["run_command(git *)"]);
    expect(await answer(commandCall("git push"), settings)).toBe("deny");
  });

  it("the one that says most decides", async () => {
    const settings = rules(
      ["run_command(npm run *)"],
      ["run_command(npm run deploy *)", "run_command(npm *)"],
    );
    expect(await answer(commandCall("npm run build"), settings)).toBe("allow");
    expect(await answer(commandCall("npm run deploy"), settings)).toBe("ask");
    expect(await answer(commandCall("npm ci"), settings)).toBe("ask");
  });

  it("one that asks wins over one that allows as much, and over what is harmless", async () => {
    expect(await answer(commandCall("npm test"), rules(["run_command(npm *)"], ["run_command(npm *)"]))).toBe(
      "ask",
    );
    expect(await answer(commandCall("ls"), rules([], ["run_command(ls *)"]))).toBe("ask");
  });

  it("a permission for a whole tool leaves out what is of high risk, and what nobody understands", async () => {
    const settings = rules(["run_command"]);
    expect(await answer(commandCall("npm test && echo $x > out"), settings)).toBe("allow");
    expect(await answer(commandCall("rm -rf build"), settings)).toBe("ask");
    expect(await answer(commandCall("$x"), settings)).toBe("ask");
    expect(await answer(commandCall("ls &&& ls"), settings)).toBe("ask");
    expect(await answer(commandCall("curl x | sh"), settings)).toBe("ask");
  });

  it("a permission for the very command holds for its dangers too, but not for others", async () => {
    const settings = rules(["run_command(rm -rf build)", "run_command(bash)", "run_command(npm test)"]);
    expect(await answer(commandCall("rm -rf build"), settings)).toBe("allow");
    expect(await answer(commandCall("rm -rf src"), settings)).toBe("ask");
    expect(await answer(commandCall("curl x | bash"), settings)).toBe("ask");
    expect(await answer(commandCall("LD_PRELOAD=./x npm test"), settings)).toBe("ask");
  });

  it("one that denies a command does so behind options too", async () => {
    const settings = rules(["*"], [], ["run_command(git push *)"]);
    for (const command of ["git -C x push", "git --no-pager -c a=b push origin", "/usr/bin/git push"])
      expect(await answer(commandCall(command), settings), command).toBe("deny");
    expect(await answer(commandCall("git status"), settings)).toBe("allow");
  });
});

describe("a redirection", () => {
  it("is a write to that path, and rules for writing speak for it", async () => {
    const settings = {
      allow: ["write_file(logs/**)", "run_command(echo *)", "run_command(cd *)"],
      deny: ["write_file(**/*.lock)"],
    };
    expect(await answer(commandCall("echo a > logs/x"), settings)).toBe("allow");
    expect(await answer(commandCall("echo a > x"), settings)).toBe("ask");
    expect(await answer(commandCall("echo a > logs/../x"), settings)).toBe("ask");
    expect(await answer(commandCall("echo a > logs/x.lock"), settings)).toBe("deny");
    expect(await answer(commandCall("cd logs && echo a > x"), settings)).toBe("allow");
    expect(await answer(commandCall("cd logs; echo a > x"), settings)).toBe("ask");
    expect(await answer(commandCall("echo a > $x"), settings)).toBe("ask");
  });

  it("out of the workspace is of high risk, but for temporary files", async () => {
    expect((await judgeCommand("ls > /etc/x")).risk).toBe("high");
    expect((await judgeCommand(`ls > ${tmpdir()}/x`)).risk).toBe("medium");
  });
});

describe("a path", () => {
  it.each(["../x", "a/../../x", "/etc/passwd", "/r/proj-evil/x", "a\0b"])(
    "%j outside is refused",
    async (path) => {
      for (const call of [read(path), write(path)]) {
        const { decision, source } = await judge(call, { allow: ["*"] });
        expect({ decision, source }).toEqual({ decision: "deny", source: "built_in" });
      }
    },
  );

  it("with a tilde or an encoded dot is a name like any other", async () => {
    expect(await answer(read("%2e%2e/x"))).toBe("allow");
    expect(await answer(read("~/x"))).toBe("allow");
  });

  it("inside may be read, and asks before it is written", async () => {
    expect(await answer(read("src/a.ts"))).toBe("allow");
    expect(await answer(read("/r/proj/src/a.ts"))).toBe("allow");
    expect(await answer(write("src/a.ts"))).toBe("ask");
  });

  it.each([
    ".git/hooks/pre-commit",
    ".git/config",
    ".GIT/config",
    ".git./config",
    "sub/.git/hooks/x",
    ".aintern/settings.json",
    ".Aintern/Settings.json",
    ".bashrc",
    "x/.zshrc",
    ".envrc",
    ".vscode/tasks.json",
  ])("%j asks with high risk even where writes are allowed", async (path) => {
    for (const allow of ["*", "write_file", "write_file(**)"]) {
      const { decision, risk } = await judge(write(path), { allow: [allow] });
      expect({ decision, risk }).toEqual({ decision: "ask", risk: "high" });
    }
  });

  it.each([".env", ".env.local", "certs/server.pem", "id_ed25519", ".npmrc", ".aws/credentials"])(
    "%j may hold secrets, so that reading it asks",
    async (path) => {
      const { decision, risk } = await judge(read(path));
      expect({ decision, risk }).toEqual({ decision: "ask", risk: "high" });
    },
  );

  it.each([".env.example", "src/token.ts", "id_rsa.pub", "src/environment.ts"])(
    "%j holds none",
    async (path) => {
      expect(await answer(read(path))).toBe("allow");
    },
  );

  it("under rules for writing may be written and edited, and one denied to reading is denied to all", async () => {
    const settings = { allow: ["write_file(src/**)", "run_command(cat *)"], deny: ["read_file(private/**)"] };
    const edit = (path: string) => callOf("edit_file", { path });
    expect(await answer(write("src/a.ts"), settings)).toBe("allow");
    expect(await answer(edit("src/a.ts"), settings)).toBe("allow");
    expect(await answer(edit("lib/a.ts"), settings)).toBe("ask");
    expect(await answer(read("private/a"), settings)).toBe("deny");
    expect(await answer(read("Private/a"), settings)).toBe("deny");
    expect(await answer(callOf("list_directory", { path: "private/a" }), settings)).toBe("deny");
    expect(await answer(commandCall("cat private/a"), settings)).toBe("deny");
    expect(await answer(commandCall("cat < private/a"), settings)).toBe("deny");
  });

  describe("with links in it", () => {
    let folder: string;
    beforeEach(() => {
      folder = realpathSync(mkdtempSync(join(tmpdir(), "aintern-policy-")));
      mkdirSync(join(folder, "proj/src"), { recursive: true });
      mkdirSync(join(folder, "out"));
      writeFileSync(join(folder, "out/secret"), "");
      symlinkSync(join(folder, "out"), join(folder, "proj/link"));
      symlinkSync(join(folder, "nowhere"), join(folder, "proj/dangling"));
      symlinkSync("src", join(folder, "proj/good"));
    });
    afterEach(() => rmSync(folder, { recursive: true }));

    it("a pattern asks without a rule, wherever it leads", async () => {
      const basis = { ...basisOf(), place: { root: join(folder, "proj"), home: folder } };
      const cat = async (path: string) => (await explain(commandCall(`cat ${path}`), basis)).decision;
      writeFileSync(join(folder, "proj/src/a.ts"), "");
      expect(await cat("src/a.ts")).toBe("allow");
      symlinkSync(join(folder, "out/secret"), join(folder, "proj/src/b.ts"));
      for (const path of ["src/*", "src/b.ts", "dang*", `${folder}/o*/*`])
        expect(await cat(path)).toBe("ask");
    });

    it.each([
      ["src/new.ts", "allow"],
      ["good/new.ts", "allow"],
      ["link/secret", "deny"],
      ["link/new/file", "deny"],
      ["link/../proj/src/new.ts", "allow"],
      ["link/../out/secret", "deny"],
      ["dangling", "deny"],
    ])("%s: %s", async (path, expected) => {
      const basis = { ...basisOf(), place: { root: join(folder, "proj"), home: folder } };
      expect((await explain(read(path), basis)).decision === "deny").toBe(expected === "deny");
      const command = await explain(commandCall(`cat ${path}`), basis);
      expect(command.decision).toBe(expected === "deny" ? "ask" : "allow");
    });
  });
});

describe("a change of folder", () => {
  it.each([
    ["cd src && cat ../a", "allow"],
    ["cd src && cd lib && cat ../../a", "allow"],
    ["cd src && ls > /dev/null && cat ../a", "allow"],
    ["cd src; cat ../a", "ask"],
    ["cd src || cat ../a", "ask"],
    ["cd src && ls || cat ../a", "ask"],
    ["cd src | true && cat ../a", "ask"],
    ["(cd src) && cat ../a", "ask"],
    ["sh -c 'cd src' && cat ../a", "ask"],
    ["echo hi <(cd src) && cat ../a", "ask"],
    ["cd src && cat ../../a", "ask"],
    ["cd nowhere; cat a", "allow"],
  ])("%s: %s", async (command, expected) => {
    expect(await answer(commandCall(command))).toBe(expected);
  });

  it("asked of the tool holds for relative paths, and asks outside", async () => {
    const run = (cwd: string) => answer(callOf("run_command", { command: "cat ../a", cwd }));
    expect(await run("src")).toBe("allow");
    expect(await run(".")).toBe("ask");
    expect(await answer(callOf("run_command", { command: "pwd", cwd: "/etc" }))).toBe("ask");
  });
});

describe("a host", () => {
  const fetch = (url: string) => callOf("fetch_url", { url });
  const settings = {
    allow: ["fetch_url(host:trusted.io)", "fetch_url(host:*.docs.io)"],
    deny: ["fetch_url(host:evil.io)"],
  };

  it.each([
    ["https://trusted.io/a", "allow"],
    ["https://en.docs.io/a", "allow"],
    ["https://trusted.io.evil.com", "ask"],
    ["https://evil.io", "deny"],
    ["https://other.io", "ask"],
    ["not a url", "ask"],
  ])("%s: %s", async (url, expected) => {
    expect(await answer(fetch(url), settings)).toBe(expected);
  });

  it.each([
    "http://127.0.0.1",
    "http://169.254.169.254/latest",
    "http://[::1]:80",
    "http://[::ffff:10.0.0.1]",
    "http://0x7f.1",
    "http://2130706433",
    "http://localhost:3000",
    "http://intranet",
    "http://192.168.1.1",
    "http://[fd00::1]",
  ])("%s is near, and asks with high risk even where the tool is allowed", async (url) => {
    const { decision, risk } = await judge(fetch(url), { allow: ["fetch_url", "fetch_url(host:*)"] });
    expect({ decision, risk }).toEqual({ decision: "ask", risk: "high" });
  });
});

describe("any other tool", () => {
  it("runs when it only reads, and asks otherwise", async () => {
    expect(
      await answer(callOf("todo", {}, { category: "planning", readOnly: true, riskLevel: "safe" })),
    ).toBe("allow");
    expect(await answer(callOf("mcp_x", {}, { category: "custom" }))).toBe("ask");
    expect(await answer(callOf("mcp_x", {}, { category: "custom" }), { allow: ["mcp_*"] })).toBe("allow");
  });

  it.each(["toString", "__proto__", "constructor"])("named %s has ordinary rules", async (name) => {
    const call = callOf(name, {}, { category: "custom" });
    expect(await answer(call)).toBe("ask");
    expect(await answer(call, { allow: [name] })).toBe("allow");
    expect(await answer(call, { allow: ["*"], deny: [name] })).toBe("deny");
    expect(await answer(commandCall(`${name} x`), { allow: [`run_command(${name} *)`] })).toBe("allow");
  });
});

describe("the request's own limit", () => {
  it("lets through what is not above it, and no denial", async () => {
    const call = commandCall("npm test", { maxAutoApprovalRiskLevel: "medium" });
    expect(await answer(call)).toBe("allow");
    expect(await answer(call, { deny: ["run_command(npm *)"] })).toBe("deny");
    expect(await answer(commandCall("rm -rf x", { maxAutoApprovalRiskLevel: "medium" }))).toBe("ask");
  });
});
