import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explain } from "../explain.ts";
import { basisOf, commandCall } from "../testing/judging.ts";
import { ObservedBash } from "../testing/observed-bash.ts";
import { brokenShellText, shellText } from "../testing/shell-texts.ts";
import { commandName } from "./command-name.ts";
import { isShell } from "./inner-commands.ts";
import { readShell } from "./read-shell.ts";
import { loadShellParser, type ShellParser } from "./shell-parser.ts";

let parser: ShellParser;
const bash = ObservedBash.find();

beforeAll(async () => {
  parser = await loadShellParser();
});
afterAll(() => bash?.[Symbol.dispose]());

/** Programs bash started that are not among the parts, for a text that was taken for understood. */
function overlooked(text: string, shell: ObservedBash): readonly string[] | undefined {
  const parts = readShell(text, parser);
  if (parts.some(({ kind }) => kind === "unreadable")) return undefined;
  const known = new Set(
    parts.flatMap((part) => {
      if (part.kind !== "command") return [];
      const name = commandName(part.words[0]);
      // A script in a file is the shell's that runs it.
      return name && isShell(name) ? part.words.map((word) => word.text) : [name];
    }),
  );
  return [...shell.run(text)].filter((name) => !known.has(name));
}

describe.skipIf(!bash)("every program that the real bash starts is among the parts", () => {
  const check = (texts: fc.Arbitrary<string>, seed: number, numRuns: number) => {
    if (!bash) return 0;
    let understood = 0;
    fc.assert(
      fc.property(texts, (text) => {
        const missing = overlooked(text, bash);
        if (missing === undefined) return;
        understood++;
        expect(missing, text).toEqual([]);
      }),
      { seed, numRuns },
    );
    return understood / numRuns;
  };

  it("of well-formed texts", () => {
    expect(check(shellText, 7, 250)).toBeGreaterThan(0.25);
  });

  it("of texts with signs out of place", () => {
    expect(check(brokenShellText, 11, 600)).toBeGreaterThan(0.1);
  });
});

describe.skipIf(!bash)("what the policy allows", () => {
  const basis = basisOf({ allow: ["run_command", "write_file"], deny: ["run_command(gamma *)"] });

  it("starts no program that is denied", async () => {
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(shellText, brokenShellText), async (text) => {
        if (!bash || (await explain(commandCall(text), basis)).decision !== "allow") return;
        allowed++;
        expect(bash.run(text), text).not.toContain("gamma");
      }),
      { seed: 13, numRuns: 800 },
    );
    expect(allowed).toBeGreaterThan(40);
  });
});

describe("any text at all", () => {
  it("gives at least one part, and never throws", () => {
    fc.assert(
      fc.property(fc.oneof(brokenShellText, fc.string({ unit: "binary" }), fc.string()), (text) => {
        expect(readShell(text, parser).length).toBeGreaterThan(0);
      }),
      { seed: 3, numRuns: 500 },
    );
  });
});
