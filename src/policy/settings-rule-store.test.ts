import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse as parseJsonc } from "jsonc-parser";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RuleStoreError, settingsRuleStore } from "./settings-rule-store.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "aintern-rules-"));
  file = join(folder, "settings.json");
});
afterEach(() => rmSync(folder, { recursive: true }));

const parse = (content: string) => parseJsonc(content, [], { allowTrailingComma: true });
const text = () => readFileSync(file, "utf8");

describe("rules kept in the settings", () => {
  it("make the file when there is none, for the user alone", async () => {
    file = join(folder, "new", "settings.json");
    await settingsRuleStore(file).add("allow", ["read_file", "run_command(git log *)"]);
    expect(JSON.parse(text())).toEqual({ policy: { allow: ["read_file", "run_command(git log *)"] } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("leave comments, order, layout and the file's mode as they are", async () => {
    writeFileSync(
      file,
      '{\n    // the usual one\n    "model": "a/b",\n    "policy": {\n        /* mine */ "deny": ["run_command(rm *)"], // never\n        "allow": []\n    }, // end\n}\n',
    );
    chmodSync(file, 0o640);
    const store = settingsRuleStore(file);
    await store.add("allow", ["read_file"]);
    await store.add("deny", ["run_command(dd *)"]);
    await store.add("ask", ["fetch_url"]);
    expect(text()).toMatchInlineSnapshot(`
      "{
          // the usual one
          "model": "a/b",
          "policy": {
              /* mine */ "deny": [
                  "run_command(rm *)",
                  "run_command(dd *)"
              ], // never
              "allow": [
                  "read_file"
              ],
              "ask": [
                  "fetch_url"
              ]
          }, // end
      }
      "
    `);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readdirSync(folder)).toEqual(["settings.json"]);
  });

  it("are written once", async () => {
    const store = settingsRuleStore(file);
    await Promise.all([
      store.add("allow", ["a"]),
      store.add("allow", ["a", "b"]),
      store.add("allow", ["b", "c", "c"]),
    ]);
    expect(JSON.parse(text())).toEqual({ policy: { allow: ["a", "b", "c"] } });
  });

  it("count when they are written with examples, and can be taken out", async () => {
    writeFileSync(file, '{ "policy": { "allow": [{ "rule": "a", "match": ["a"] }, "b", "c" /* last */] } }');
    const store = settingsRuleStore(file);
    await store.add("allow", ["a"]);
    expect(await store.remove("allow", ["a", "c", "x"])).toBe(2);
    expect(JSON.parse(text().replace("/* last */", ""))).toEqual({ policy: { allow: ["b"] } });
  });

  const layouts = [
    "{}",
    '{ "policy": {} }',
    '{ "policy": { "allow": [] } }',
    '{ "policy": { "allow": [ /* none */ ] } }',
    '{ "policy": { "allow": ["z"] } }',
    '{ "policy": { "allow": ["z",] } }',
    '{ "policy": { "allow": ["z" /* why */] } }',
    '{\n  "policy": {\n    "allow": [\n      "z", // why\n    ], // end\n  },\n}',
    '{\n\t"policy": {\n\t\t"allow": [\n\t\t\t"z", // why\n\t\t\t// last\n\t\t]\n\t}\n}',
    '{ "policy": { "deny": [] }, "other": { "allow": ["x"] } }',
  ];
  it.each(layouts)("come and go in %j, and all else stays", async (content) => {
    writeFileSync(file, content);
    const before = parse(content);
    const store = settingsRuleStore(file);
    await store.add("allow", ["a", "b"]);
    const allow = before.policy?.allow ?? [];
    expect(parse(text())).toEqual({ ...before, policy: { ...before.policy, allow: [...allow, "a", "b"] } });
    expect(await store.remove("allow", ["b", "a"])).toBe(2);
    expect(parse(text())).toEqual({ ...before, policy: { ...before.policy, allow } });
    for (const [comment] of content.matchAll(/\/\*.*?\*\/|\/\/.*/g)) expect(text()).toContain(comment);
  });

  it("go through a link to the file itself", async () => {
    const real = join(folder, "real.json");
    writeFileSync(real, "{}");
    symlinkSync(real, file);
    await settingsRuleStore(file).add("allow", ["a"]);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(JSON.parse(readFileSync(real, "utf8"))).toEqual({ policy: { allow: ["a"] } });
  });

  it.each(["{", '{ "policy": [] }', '{ "policy": { "allow": "x" } }', "[]"])(
    "are refused where the file is %j",
    async (content) => {
      writeFileSync(file, content);
      await expect(settingsRuleStore(file).add("allow", ["a"])).rejects.toThrow(RuleStoreError);
      expect(text()).toBe(content);
    },
  );
});
