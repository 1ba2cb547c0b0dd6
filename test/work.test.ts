import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Aintern } from "./support/aintern.ts";
import { ModelServer } from "./support/model-server.ts";
import type { AnswerPart } from "./support/wire-answers.ts";

const settingsFor = (url: string, extra: object = {}) => ({
  providers: { mine: { type: "openai-compatible", baseURL: url } },
  ...extra,
});
const call = (name: string, parameters: object): AnswerPart => ({ call: name, arguments: parameters });
const toolMessages = (server: ModelServer, request: number): string[] =>
  server.requests[request]?.body.messages
    .filter((message: { role: string }) => message.role === "tool")
    .map((message: { content: string }) => message.content);

/** A repository with a bug that its own test finds. */
function withBug(aintern: Aintern): void {
  mkdirSync(join(aintern.workspace, "src"));
  aintern.writeFile("src/add.mjs", "export const add = (a, b) => a - b;\n");
  aintern.writeFile(
    "check.mjs",
    'import { add } from "./src/add.mjs";\nif (add(2, 2) !== 4) throw new Error("2 + 2 is " + add(2, 2));\nconsole.log("ok");\n',
  );
}

/** Looks, edits, runs the test, reports: what a model does in four answers. */
const repair: AnswerPart[][] = [
  ["I look. ", call("search_text", { pattern: "add = " }), call("read_file", { path: "src/add.mjs" })],
  [call("edit_file", { path: "src/add.mjs", edits: [{ oldText: "a - b", newText: "a + b" }] })],
  [call("run_command", { command: "node check.mjs" })],
  ["Fixed: add subtracted."],
];

describe("work on a small repository", () => {
  test("is done headless when rules allow it", async () => {
    await using server = await ModelServer.start();
    server.answer(...repair);
    using aintern = new Aintern(
      settingsFor(server.url, { policy: { allow: ["edit_file(src/**)", "run_command(node check.mjs)"] } }),
    );
    withBug(aintern);
    const { code, stdout, stderr } = await aintern.run(["-p", "-m", "mine/m", "Repair add"]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "I look. \n\nFixed: add subtracted.\n",
      stderr: "",
    });
    expect(readFileSync(join(aintern.workspace, "src/add.mjs"), "utf8")).toBe(
      "export const add = (a, b) => a + b;\n",
    );
    expect(toolMessages(server, 3).at(-1)).toMatch(/^ok\n/);
  });

  test("is not done without rules, and what would allow it is said", async () => {
    await using server = await ModelServer.start();
    server.answer(...repair);
    using aintern = new Aintern(settingsFor(server.url));
    withBug(aintern);
    const { code, stderr } = await aintern.run(["-p", "-m", "mine/m", "Repair add"]);
    expect(code).toBe(0);
    expect(stderr).toContain("Not done, because nobody is here to ask:");
    expect(stderr).toContain("--allow 'edit_file(src/**)'");
    expect(stderr).toContain("--allow 'run_command(node check.mjs)'");
    expect(readFileSync(join(aintern.workspace, "src/add.mjs"), "utf8")).toContain("a - b");
    expect(toolMessages(server, 2).at(-1)).toContain("denied");
  });

  test("is done with --yes, but what is denied stays undone", async () => {
    await using server = await ModelServer.start();
    server.answer(...repair);
    using aintern = new Aintern(settingsFor(server.url));
    withBug(aintern);
    const args = ["-p", "-y", "--deny", "run_command(node *)", "-m", "mine/m", "Repair add"];
    expect((await aintern.run(args)).code).toBe(0);
    expect(readFileSync(join(aintern.workspace, "src/add.mjs"), "utf8")).toContain("a + b");
    expect(toolMessages(server, 3).at(-1)).toMatch(/denied/);
  });
});

describe("what a model must not get", () => {
  const told = async (parts: AnswerPart[], args: string[] = []) => {
    await using server = await ModelServer.start();
    server.answer(parts, ["Done."]);
    using aintern = new Aintern(settingsFor(server.url));
    aintern.writeFile(".env", "SECRET=very-secret\n");
    const { code, stderr } = await aintern.run(["-p", "-m", "mine/m", ...args, "Go"], {
      env: { MY_API_KEY: "also-secret" },
    });
    expect(code).toBe(0);
    return { results: toolMessages(server, 1).join("\n"), stderr };
  };

  test("a file of secrets, unless a rule allows it", async () => {
    const ways = [call("read_file", { path: ".env" }), call("run_command", { command: "cat .env" })];
    expect((await told(ways)).results).not.toContain("very-secret");
    expect((await told(ways.slice(0, 1), ["--allow", "read_file(.env)"])).results).toContain("very-secret");
  });

  test("the keys in our environment, even in a command that may run", async () => {
    const { results } = await told([call("run_command", { command: "env; echo end" })], ["--yes"]);
    expect(results).toContain("end");
    expect(results).not.toContain("also-secret");
  });
});

test("no process is left behind by a command that would live on", async () => {
  await using server = await ModelServer.start();
  server.answer(
    [call("run_command", { command: "sleep 1000 & setsid sleep 1001 & echo started" })],
    ["Done."],
  );
  using aintern = new Aintern(settingsFor(server.url));
  expect((await aintern.run(["-p", "-y", "-m", "mine/m", "Go"])).code).toBe(0);
  expect(existsSync("/proc") ? (await processes()).filter((line) => /sleep 100[01]/.test(line)) : []).toEqual(
    [],
  );
});

async function processes(): Promise<string[]> {
  const { readdir, readFile } = await import("node:fs/promises");
  const ids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const lines = ids.map((id) => readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "")); // ended in the meantime
  return (await Promise.all(lines)).map((line) => line.replaceAll("\0", " "));
}

describe("aintern policy", () => {
  test("explains what would be decided, and keeps rules", async () => {
    using aintern = new Aintern();
    const explained = async (...args: string[]) =>
      (await aintern.run(["policy", "explain", ...args])).stdout.split("\n")[0];
    expect(await explained("ls -la")).toMatch(/^allow, safe risk/);
    expect(await explained("git push --force")).toMatch(/^ask, high risk/);
    expect(await explained("npm test")).toMatch(/^ask/);
    expect(await explained("npm test", "--allow", "run_command(npm test)")).toMatch(/^allow/);
    expect((await aintern.run(["policy", "allow", "run_command(npm test *)"])).code).toBe(0);
    expect(await explained("npm test -- --watch")).toMatch(/^allow/);
    expect(await explained("npm test && rm -rf ~", "--deny", "run_command(rm *)")).toMatch(/^deny/);
    expect((await aintern.run(["policy"])).stdout).toContain("allow run_command(npm test *)  (user)");
    expect((await aintern.run(["policy", "remove", "run_command(npm test *)"])).stdout).toBe(
      "1 rule removed.\n",
    );
    expect(await explained("npm test")).toMatch(/^ask/);
  });

  test("answers programs", async () => {
    using aintern = new Aintern();
    const { stdout } = await aintern.run(["policy", "explain", "--json", "git log && git logout"]);
    const { decision, risk, parts, reason } = JSON.parse(stdout);
    expect({ decision, risk, parts: parts.map((part: { text: string }) => part.text) }).toEqual({
      decision: "ask",
      risk: "medium",
      parts: ["git log", "git logout"],
    });
    expect(reason).toEqual(expect.any(String));
  });

  test("names a rule that is none", async () => {
    using aintern = new Aintern({ policy: { allow: ["run_command(git log"] } });
    const { code, stderr } = await aintern.run(["-p", "-m", "mine/m", "Go"]);
    expect(code).toBe(2);
    expect(stderr).toContain("run_command(git log");
    using other = new Aintern();
    expect((await other.run(["policy", "allow", "nothing("])).code).toBe(2);
  });
});

describe("requests", () => {
  const long: AnswerPart[][] = [
    ["One. ", call("read_file", { path: "a.txt" })],
    [call("list_directory", {}), call("find_files", { pattern: "*.txt" })],
    [call("read_file", { path: "nothing" })],
    ["Done."],
  ];

  test("begin with the bytes of the one before, so that prompt caches hit", async () => {
    await using server = await ModelServer.start();
    server.answer(...long);
    using aintern = new Aintern(settingsFor(server.url));
    aintern.writeFile("a.txt", "one\n");
    expect((await aintern.run(["-p", "-m", "mine/m", "Go"])).code).toBe(0);
    expect(server.requests).toHaveLength(4);
    const [first, ...later] = server.requests.map(({ body: { messages, ...rest } }) => ({ messages, rest }));
    let before = JSON.stringify(first?.messages).slice(0, -1);
    for (const { messages, rest } of later) {
      expect(rest).toEqual(first?.rest);
      expect(JSON.stringify(messages).startsWith(before)).toBe(true);
      before = JSON.stringify(messages).slice(0, -1);
    }
  });

  test("are small: the first one, with all tools, is at most 8 kB", async () => {
    await using server = await ModelServer.start();
    server.answer(["Hi."]);
    using aintern = new Aintern(settingsFor(server.url));
    expect((await aintern.run(["-p", "-m", "mine/m", "Go"])).code).toBe(0);
    expect(JSON.stringify(server.requests[0]?.body).length).toBeLessThanOrEqual(8_000);
  });
});
