import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repairArguments } from "./repair-arguments.ts";

describe("arguments with one possible reading", () => {
  const rows: [string, string, unknown, string[]][] = [
    ["nothing at all", "  \n", {}, ["read nothing as no arguments"]],
    ["a code fence", '```json\n{"a": 1}\n```', { a: 1 }, ["removed a code fence"]],
    ["a trailing comma", '{"a": [1, 2,], }', { a: [1, 2] }, ["removed a trailing comma"]],
    ["bare keys", '{a: 1, $b_2: "x"}', { a: 1, $b_2: "x" }, ["quoted a bare key"]],
    [
      "Python's words",
      '{"a": True, "b": [False, None]}',
      { a: true, b: [false, null] },
      ["replaced a word of Python"],
    ],
    [
      "a line break in a string",
      '{"text": "one\ntwo\tthree"}',
      { text: "one\ntwo\tthree" },
      ["escaped a line break or control character in a string"],
    ],
    ["an escaped apostrophe", `{"a": "it\\'s"}`, { a: "it's" }, ["removed a needless escape"]],
    ["an object in a string", '"{\\"a\\": 1}"', { a: 1 }, ["read a string that holds an object"]],
    [
      "several of them",
      "```\n{a: True,}\n```",
      { a: true },
      ["removed a code fence", "quoted a bare key", "replaced a word of Python", "removed a trailing comma"],
    ],
  ];
  it.each(rows)("such as %s are repaired", (_name, text, value, repairs) => {
    expect(repairArguments(text)).toEqual({ arguments: value, repairs });
  });
});

describe("arguments with several possible readings", () => {
  it.each([
    ["a missing brace", '{"a": 1'],
    ["a missing quote", '{"a": "b}'],
    ["a quote inside a string", '{"a": "say "hi" now"}'],
    ["single quotes", "{'a': 'b'}"],
    ["a Windows path", '{"path": "C:\\users\\x"}'],
    ["a key twice", '{"a": 1, a: 2}'],
    ["two objects", '{"a": 1}{"b": 2}'],
    ["words around it", 'call with {"a": 1}'],
    ["no object", "[1, 2]"],
    ["a bare word", '{"a": yes}'],
    ["a bad number", '{"a": 01}'],
    ["a missing comma", '{"a": 1 "b": 2}'],
    ["a doubled comma", '{"a": 1,, "b": 2}'],
    ["only a comma", "{,}"],
    ["a string that is not JSON", '"hello"'],
    ["endless nesting", "[".repeat(100_000)],
    ["endless text", `{"a": "${"\\n".repeat(20_000_000)}",}`],
  ])("such as %s are left alone", (_name, text) => {
    expect(repairArguments(text)).toBeUndefined();
  });
});

it("reads every JSON object as JSON does, without a repair", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })),
      fc.boolean(),
      (object, indented) => {
        const text = JSON.stringify(object, undefined, indented ? 2 : 0);
        expect(repairArguments(text)).toStrictEqual({ arguments: JSON.parse(text), repairs: [] });
      },
    ),
  );
});

it("keeps keys that mean something to the language", () => {
  const repaired = repairArguments('{"__proto__": {"x": 1}, "constructor": 2,}');
  expect(JSON.stringify(repaired?.arguments)).toBe('{"__proto__":{"x":1},"constructor":2}');
});

it("never throws, whatever the text", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    "[",
    "]",
    '"',
    "'",
    ",",
    ":",
    "\\",
    "a",
    "1",
    "-",
    " ",
    "\n",
    "```",
    "True",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(pieces).map((all) => all.join("")),
      ),
      (text) => {
        repairArguments(text);
      },
    ),
    { numRuns: 2_000 },
  );
});
