import fc from "fast-check";
import { expect, test } from "vitest";
import { BadGlob, globMatcher } from "./glob.ts";

const rows: [string, string[], string[]][] = [
  ["*.ts", ["a.ts", "src/deep/a.ts", ".ts"], ["a.tsx", "ts"]],
  ["src/*.ts", ["src/a.ts"], ["src/deep/a.ts", "lib/src/a.ts"]],
  ["./src/*.ts", ["src/a.ts"], ["lib/src/a.ts"]],
  ["/a.ts", ["a.ts"], ["src/a.ts"]],
  ["src/**/*.ts", ["src/a.ts", "src/b/c/a.ts"], ["a.ts", "src/a.js"]],
  ["**", ["a", "a/b/c"], []],
  ["src/**", ["src/a", "src/a/b"], ["lib/a"]],
  ["src/", ["src/a", "src/a/b"], ["lib/src2/a"]],
  ["**/test/**", ["test/a", "x/test/y/z"], ["tests/a"]],
  ["*.{ts,tsx}", ["a.ts", "b/a.tsx"], ["a.js"]],
  ["{src,test}/**/*.{t,j}s", ["src/a.ts", "test/x/a.js"], ["lib/a.ts"]],
  ["a{b,c{d,e}}f", ["abf", "acdf", "acef"], ["acf"]],
  ["file?.ts", ["file1.ts", "file😀.ts"], ["file.ts", "file/.ts"]],
  ["[a-c]x", ["ax", "cx"], ["dx", "-x"]],
  ["[!a-c]x", ["dx"], ["ax"]],
  ["[]]x", ["]x"], []],
  ["{a}", ["{a}"], ["a"]],
  ["\\*x", ["*x"], ["ax"]],
  ["[x", ["[x"], ["x"]],
  ["%2e%2e", ["%2e%2e"], [".."]],
];
test.each(rows)("%s matches %j and not %j", (pattern, good, bad) => {
  const matches = globMatcher(pattern);
  for (const path of good) expect(matches(path), path).toBe(true);
  for (const path of bad) expect(matches(path), path).toBe(false);
});

test("a pattern and a name made for each other take no time", () => {
  const matches = globMatcher(`${"*a".repeat(60)}*b`);
  expect(matches("a".repeat(2_000))).toBe(false);
  expect(globMatcher(`${"**/".repeat(200)}x`)("a/".repeat(2_000))).toBe(false);
  expect(() => globMatcher("{a,b}".repeat(20))).toThrow(BadGlob);
});

test("what is written literally matches itself, and stars match whatever is between", () => {
  const name = fc.stringMatching(/^[a-z.]{1,6}$/).filter((text) => text !== "." && text !== "..");
  fc.assert(
    fc.property(fc.array(name, { minLength: 2, maxLength: 5 }), fc.nat(), (names, at) => {
      const path = names.join("/");
      expect(globMatcher(`/${path}`)(path)).toBe(true);
      const starred = names.with(at % names.length, "*").join("/");
      expect(globMatcher(starred)(path)).toBe(true);
      expect(globMatcher(`${names[0]}/**`)(path)).toBe(true);
    }),
  );
});

test("no pattern makes it throw anything but BadGlob", () => {
  const parts = fc.constantFrom("*", "**", "?", "[", "]", "!", "{", "}", ",", "/", "\\", "a", "-", ".");
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), fc.string(), (pattern, path) => {
      try {
        globMatcher(pattern.join(""))(path);
      } catch (error) {
        expect(error).toBeInstanceOf(BadGlob);
      }
    }),
  );
});
