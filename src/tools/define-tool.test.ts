import fc from "fast-check";
import { describe, expect, expectTypeOf, it } from "vitest";
import * as z from "zod/mini";
import type { JsonObject } from "../model/json.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";
import { succeeded } from "./tool-result.ts";

const copyFile = defineTool({
  id: "copy_file",
  name: "Copy file",
  description: "Copies a file.",
  category: "file_system",
  risk: "medium",
  readOnly: false,
  input: z.strictObject({
    from: z.string().check(z.minLength(1)),
    times: z._default(z.int().check(z.gte(1), z.lte(5)), 1),
    mode: z.exactOptional(z.enum(["keep", "replace"])),
    tags: z.exactOptional(z.array(z.union([z.string(), z.object({ key: z.number() })]))),
  }),
  summarize: (args) => `Copy ${args.from} ${args.times} times`,
  riskOf: (args) => (args.mode === "replace" ? "high" : "medium"),
  touches: (args) => [args.from],
  async execute(args) {
    expectTypeOf(args.times).toEqualTypeOf<number>();
    return succeeded(`copied ${args.from}`);
  },
});

function problemsOf(parameters: JsonObject): readonly string[] {
  const check = copyFile.validate(parameters);
  return check.ok ? [] : check.problems;
}

describe("a tool defined with a schema", () => {
  it("fits the contract that knows nothing of its arguments", () => {
    const tool: Tool = copyFile;
    expect(tool.id).toBe("copy_file");
  });

  it("shows its schema as JSON Schema, with defaults optional", () => {
    expect(copyFile.inputSchema).toMatchObject({
      type: "object",
      required: ["from"],
      properties: { from: { type: "string" }, times: { type: "integer", default: 1 } },
    });
    expect(copyFile.inputSchema).not.toHaveProperty("$schema");
  });

  it("gives its functions the checked arguments with defaults filled in", () => {
    const check = copyFile.validate({ from: "a.txt", mode: "replace" });
    if (!check.ok) throw new Error("valid arguments were refused");
    expect(check.args).toEqual({ from: "a.txt", times: 1, mode: "replace" });
    expect(copyFile.summarize(check.args)).toBe("Copy a.txt 1 times");
    expect(copyFile.riskOf(check.args)).toBe("high");
  });

  it("falls back to its name and its own risk", () => {
    const plain = defineTool({
      id: "plain",
      name: "Plain",
      description: "",
      category: "custom",
      risk: "high",
      readOnly: true,
      input: z.object({}),
      execute: async () => succeeded(""),
    });
    expect([plain.summarize({}), plain.riskOf({})]).toEqual(["Plain", "high"]);
  });
});

describe("a failed validation", () => {
  const cases: [JsonObject, string[]][] = [
    [{}, ["`from` is required: give a string"]],
    [{ from: 5 }, ["`from` must be a string; got 5"]],
    [{ from: "" }, ['`from` must have at least 1 character; got ""']],
    [{ from: "a", times: 9 }, ["`times` must be at most 5; got 9"]],
    [{ from: "a", times: 1.5 }, ["`times` must be a whole number; got 1.5"]],
    [{ from: "a", mode: "burn" }, ['`mode` must be one of "keep", "replace"; got "burn"']],
    [
      { from: "a", tags: [{ key: "x" }] },
      ['`tags[0]` must be a string, or have a `key` that must be a number; got {"key":"x"}'],
    ],
    [{ from: "a", source: 1 }, ["`source` is not a known argument; known: from, times, mode, tags"]],
    [
      { times: 0, x: 1, y: 2 },
      [
        "`from` is required: give a string",
        "`times` must be at least 1; got 0",
        "`x`, `y` are not known arguments; known: from, times, mode, tags",
      ],
    ],
  ];
  it.each(cases)("of %j says what is wrong with each argument", (parameters, problems) => {
    expect(problemsOf(parameters)).toEqual(problems);
  });

  it("stays short when the argument is long", () => {
    expect(problemsOf({ from: ["x".repeat(10_000)] })[0]?.length).toBeLessThan(200);
  });

  it("never throws, whatever the arguments", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (parameters) => {
        const plain: JsonObject = JSON.parse(JSON.stringify(parameters));
        const check = copyFile.validate(plain);
        if (!check.ok) expect(check.problems.length).toBeGreaterThan(0);
      }),
    );
  });
});
