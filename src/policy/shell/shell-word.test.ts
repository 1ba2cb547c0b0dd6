import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeAnsiC } from "./ansi-c-string.ts";
import { joinContinuedWords } from "./line-continuations.ts";
import { readShell } from "./read-shell.ts";
import { loadShellParser, type ShellParser } from "./shell-parser.ts";

let parser: ShellParser;
beforeAll(async () => {
  parser = await loadShellParser();
});

const wordsOf = (text: string) => {
  const [part] = readShell(text, parser);
  return part?.kind === "command" ? part.words.slice(1) : undefined;
};

describe("a word", () => {
  it.each([
    ["a\\ b", "a b"],
    ["'a \"b'", 'a "b'],
    ['"a \'b\\" \\$x \\n"', "a 'b\" $x \\n"],
    ["a'b'\"c\"d", "abcd"],
    ["$'\\t\\x41\\101\\u00e9\\'\\\\'", "\tAA\u00e9'\\"],
    ['"a\\\nb"', "ab"],
    ["a=b", "a=b"],
    ["--x=~", "--x=~"],
    ["100%", "100%"],
  ])("%s is what bash makes of it", (written, text) => {
    expect(wordsOf(`echo ${written}`)).toEqual([{ text, dynamic: false, glob: false, tilde: false }]);
  });

  it.each(["$x", '"$x"', "$(a)", "`a`", "{a,b}", "a{1..2}", "$((1))", "<(a)", "~root", "$'\\x{41}'"])(
    "%s is known only when it runs",
    (written) => {
      expect(wordsOf(`echo ${written}`)?.[0]?.dynamic).toBe(true);
    },
  );

  it.each(["*.ts", "a?", "[ab]c"])("%s stands for file names, and in quotes for itself", (written) => {
    expect(wordsOf(`echo ${written} '${written}'`)?.map(({ glob }) => glob)).toEqual([true, false]);
  });

  const bash = spawnSync("bash", ["-c", "true"]).status === 0;
  it.skipIf(!bash)("that is taken for fixed is the very text bash gives to a program", () => {
    const piece = fc.oneof(
      fc.stringMatching(/^[\w.,:=%+@/-]{1,4}$/),
      fc.stringMatching(/^'[ -&(-~]{0,6}'$/),
      fc.stringMatching(/^"[ !#%-[\]-_a-~']{0,6}"$/),
      fc.stringMatching(/^\\[ -~]$/),
      fc.stringMatching(/^\$'(\\[abefnrtv\\'"?]|\\x[1-7][0-9a-f]|\\[1-7]{2}|[ -&(-[\]-~]){0,4}'$/),
      fc.constantFrom('"\\$"', '"\\""', '"\\\\"', '"\\a"', "{}", "a{b", "^", "#"),
    );
    const texts = fc.sample(fc.array(piece, { minLength: 1, maxLength: 4 }), { seed: 17, numRuns: 400 });
    const fixed = texts
      .map((pieces) => `x${pieces.join("")}`)
      .flatMap((written) => {
        const parts = readShell(`echo ${written}`, parser);
        const word = wordsOf(`echo ${written}`)?.[0];
        return parts.length === 1 && word && !word.dynamic && !word.glob
          ? [{ written, text: word.text }]
          : [];
      });
    expect(fixed.length).toBeGreaterThan(200);
    const script = fixed.map(({ written }) => `printf '%s\\0' ${written}`).join("\n");
    const { stdout } = spawnSync("bash", ["-c", script], { encoding: "utf8" });
    expect(stdout.split("\0").slice(0, -1)).toEqual(fixed.map(({ text }) => text));
  });
});

it("decodes $'…' as bash does, up to a NUL", () => {
  expect(decodeAnsiC("a\\0b")).toBe("a");
  expect(decodeAnsiC("\\cA\\e\\E\\z\\U1F600")).toBe("\x01\x1b\x1b\\z😀");
  expect(decodeAnsiC("\\UFFFFFFFF")).toBe("\uFFFD");
});

describe("a line that goes on", () => {
  it.each([
    ["r\\\nm x", "rm x"],
    ["ls \\\n  -a", "ls \\\n  -a"],
    ["'a\\\nb'", "'a\\\nb'"],
    ["a\\\nb \"it's\" c\\\nd 'e'", "ab \"it's\" cd 'e'"],
    ["a\\\\\nb", "a\\\\\nb"],
  ])("%j is %j", (written, joined) => {
    expect(joinContinuedWords(written)).toBe(joined);
  });

  it.each(["# a\\\nb", "$x\\\ny", "cat <<E\\\nx", "`a\\\nb`"])("%j is left alone, and asks", (written) => {
    expect(joinContinuedWords(written)).toBeUndefined();
    expect(readShell(written, parser).some(({ kind }) => kind === "unreadable")).toBe(true);
  });
});
