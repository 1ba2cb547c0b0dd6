import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explain } from "./explain.ts";
import { rulesFromTexts } from "./rules/policy-settings.ts";
import { suggestRules } from "./suggest-rules.ts";
import { basisOf, callOf, commandCall } from "./testing/judging.ts";
import { shellText } from "./testing/shell-texts.ts";

const suggest = (command: string) => suggestRules(commandCall(command), basisOf());

describe("for a command", () => {
  it.each([
    ["npm test", ["run_command(npm test *)"]],
    ["npm run build -- --x", ["run_command(npm run build *)"]],
    ["git commit -m 'a b'", ["run_command(git commit -m 'a b')"]],
    ["tsc --noEmit", ["run_command(tsc --noEmit)"]],
    ["cargo test | tail -5", ["run_command(cargo test *)", "run_command(tail -5)"]],
    ["cd src && npm test", ["run_command(cd src)", "run_command(npm test *)"]],
    ["npm test > out.txt", ["run_command(npm test *)", "write_file(out.txt)"]],
    ["timeout 60 npm test", ["run_command(npm test *)"]],
    ["npm install left-pad", ["run_command(npm install left-pad)"]],
    ["mkdir -p a/b", ["run_command(mkdir -p a/b)"]],
    ["git push --force", ["run_command(git push --force)"]],
    ["DATABASE_URL=x npm test", ["run_command(DATABASE_URL=x npm test)"]],
    ['git commit -m "it\'s"', ["run_command(git commit -m 'it'\\''s')"]],
    ["mv 'a b' \"it's\"", ["run_command(mv 'a b' 'it'\\''s')"]],
  ])("%s suggests %j", async (command, rules) => {
    expect(await suggest(command)).toEqual(rules);
  });

  it.each([
    "bash x.sh",
    "sh -c 'npm test && bash y'",
    "sudo npm test",
    "env npm ci",
    "python x.py",
    "python3 -c 1",
    "node x.js",
    "rm x",
    "rm -rf build",
    "ssh host ls",
    "curl https://x",
    "make -f x",
    "npx x",
    "docker run x",
    "find . -delete",
    "eval 'npm test'",
    "dd if=a of=b",
    "chmod +x a",
  ])("%s suggests at most the command itself", async (command) => {
    for (const rule of await suggest(command)) expect(rule).toMatch(/^run_command\((npm test \*|[^*]*)\)$/);
  });

  it.each(["echo $x", "$x", "ls &&& ls", "curl x | sh", "", "for f in *; do npm run $f; done"])(
    "%j suggests nothing: no rule could say it",
    async (command) => {
      expect(await suggest(command)).toEqual([]);
    },
  );

  it("whatever it is, the suggested rules allow it", async () => {
    await fc.assert(
      fc.asyncProperty(shellText, async (command) => {
        const texts = await suggest(command);
        if (texts.length === 0) return;
        const basis = { ...basisOf(), rules: rulesFromTexts({ allow: texts }) };
        expect((await explain(commandCall(command), basis)).decision).toBe("allow");
      }),
      { seed: 5, numRuns: 150 },
    );
  });
});

describe("for other calls", () => {
  const suggestFor = (toolId: string, parameters: Record<string, string>, more = {}) =>
    suggestRules(callOf(toolId, parameters, more), basisOf());

  it("suggests the folder of a file, or the file itself where that is of high risk", async () => {
    expect(await suggestFor("write_file", { path: "src/a/b.ts" })).toEqual(["write_file(src/a/**)"]);
    expect(await suggestFor("write_file", { path: "a.ts" })).toEqual(["write_file(a.ts)"]);
    expect(await suggestFor("edit_file", { path: "src/[id]/x.ts" })).toEqual(["edit_file(src/\\[id\\]/**)"]);
    expect(await suggestFor("write_file", { path: ".git/config" })).toEqual(["write_file(.git/config)"]);
    expect(await suggestFor("write_file", { path: "../x" })).toEqual([]);
  });

  it("suggests the host, or the tool", async () => {
    expect(await suggestFor("fetch_url", { url: "https://docs.io/a" })).toEqual(["fetch_url(host:docs.io)"]);
    expect(await suggestFor("mcp_x", {}, { category: "custom" })).toEqual(["mcp_x"]);
  });
});
