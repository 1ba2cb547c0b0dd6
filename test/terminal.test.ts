import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Aintern } from "./support/aintern.ts";
import { ModelServer } from "./support/model-server.ts";

/** `script` gives a command a terminal of its own; Debian has it, other systems have other ones. */
const hasTerminals =
  spawnSync("script", ["--version"], { encoding: "utf8" }).stdout?.includes("util-linux") ?? false;

describe.skipIf(!hasTerminals)("in a terminal", () => {
  const settingsFor = (url: string) => ({ providers: { mine: { type: "openai-compatible", baseURL: url } } });
  const start = (aintern: Aintern) =>
    aintern.start(["-m", "mine/m", "Go"], { stdin: "open", terminal: true });

  test("what the terminal would obey is written out, and what the agent does is told", async () => {
    await using server = await ModelServer.start();
    server.answer([{ call: "list_directory", arguments: {} }], ["\u001b]0;evil\u0007done\u202e"]);
    using aintern = new Aintern(settingsFor(server.url));
    const running = start(aintern);
    const { code, stdout } = await running.finished;
    expect(code).toBe(0);
    expect(stdout).toContain("· List .");
    expect(stdout).toContain("\\x1b]0;evil\\x07done\\u{202e}");
    expect(stdout).not.toContain("\u001b]0;");
  });

  test("an approval is asked for and answered, and always is kept", async () => {
    await using server = await ModelServer.start();
    const write = (path: string) => ({ call: "write_file", arguments: { path, content: "hi\n" } });
    server.answer([write("a.txt"), write("b.txt")], ["Done."]);
    using aintern = new Aintern(settingsFor(server.url));
    const running = start(aintern);
    await running.shows("[a]lways write_file(a.txt)");
    running.child.stdin?.write("n not this one\r");
    await running.shows("[a]lways write_file(b.txt)");
    running.child.stdin?.write("a\r");
    const { code } = await running.finished;
    expect(code).toBe(0);
    expect(existsSync(join(aintern.workspace, "a.txt"))).toBe(false);
    expect(readFileSync(join(aintern.workspace, "b.txt"), "utf8")).toBe("hi\n");
    const settings = readFileSync(join(aintern.home, "config", "aintern", "settings.json"), "utf8");
    expect(JSON.parse(settings).policy).toEqual({ allow: ["write_file(b.txt)"] });
    expect(server.requests[1]?.body.messages.at(-2).content).toContain("not this one");
  });

  test("Ctrl+C at a question ends the run, and nothing was done", async () => {
    await using server = await ModelServer.start();
    server.answer([{ call: "write_file", arguments: { path: "a.txt", content: "hi" } }], ["Done."]);
    using aintern = new Aintern(settingsFor(server.url));
    const running = start(aintern);
    await running.shows("[c]ancel");
    running.child.stdin?.write("\u0003");
    expect((await running.finished).code).toBe(130);
    expect(existsSync(join(aintern.workspace, "a.txt"))).toBe(false);
  });
});
