import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { forbiddenImports } from "./support/import-arrows.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

function sources(): Map<string, string> {
  const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((file) => join("src", file).replaceAll("\\", "/"))
    // Tests may use whatever they need, and so may what only tests import.
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && !file.includes("/testing/"));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));
}

test("imports point down only, and never in a circle", () => {
  const files = sources();
  expect(files.size).toBeGreaterThan(40);
  expect(forbiddenImports(files)).toEqual([]);
});

test("an import that points up is found, however it is written", () => {
  const up = [
    'import { main } from "../cli/main.ts";',
    'import type { Main } from "../cli/main.ts";',
    'export { main } from "../cli/main.ts";',
    'import {\n  main,\n  other,\n} from "../cli/main.ts";',
    'const { main } = await import("../cli/main.ts");',
    'import "../cli/main.ts";',
  ];
  for (const line of up) {
    expect(forbiddenImports(new Map([["src/model/bad.ts", line]])), line).toEqual([
      "src/model/bad.ts imports src/cli/main.ts: model does not stand above cli",
    ]);
  }
});

test("an import that points sideways is found", () => {
  const bad = new Map([["src/workspace/bad.ts", 'import { rule } from "../policy/rule.ts";']]);
  expect(forbiddenImports(bad)).toEqual([
    "src/workspace/bad.ts imports src/policy/rule.ts: workspace does not stand above policy",
  ]);
});

test("an import through the entry, from a room nobody knows, or out of src is found", () => {
  const bad = new Map([
    ["src/agent/bad.ts", 'import { textOf } from "../index.ts";'],
    ["src/utils/bad.ts", ""],
    ["src/cli/bad.ts", 'import { ModelServer } from "../../test/support/model-server.ts";'],
  ]);
  expect(forbiddenImports(bad)).toEqual([
    "src/agent/bad.ts imports src/index.ts: agent does not stand above the entry",
    'src/utils/bad.ts: the design has no room "utils"',
    "src/cli/bad.ts imports test/support/model-server.ts, outside of src/",
  ]);
});

test("a circle is found; one made of types alone is none", () => {
  const circle = (how: string) =>
    new Map([
      ["src/model/a.ts", `${how} { b } from "./b.ts";`],
      ["src/model/b.ts", 'import { a } from "./a.ts";'],
    ]);
  expect(forbiddenImports(circle("import"))).toEqual([
    "imports go in a circle: src/model/a.ts -> src/model/b.ts -> src/model/a.ts",
  ]);
  expect(forbiddenImports(circle("import type"))).toEqual([]);
});

test("what DESIGN allows is allowed", () => {
  const good = new Map([
    ["src/session/a.ts", 'import { m } from "../model/m.ts"; import { run } from "../agent/run.ts";'],
    ["src/cli/tui/a.ts", 'import { s } from "../../session/s.ts"; import { z } from "zod/mini";'],
    ["src/index.ts", 'export { run } from "./agent/run.ts";'],
  ]);
  expect(forbiddenImports(good)).toEqual([]);
});
