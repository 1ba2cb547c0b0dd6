import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { type LineWindow, readLines } from "./read-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "aintern-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

const whole: LineWindow = { firstLine: 1, mostLines: 1_000, mostCharacters: 1_000_000, longestLine: 100_000 };

async function read(content: string | Uint8Array, window: Partial<LineWindow> = {}) {
  const path = join(folder, "file");
  writeFileSync(path, content);
  await using file = await open(path);
  return await readLines(file, { ...whole, ...window });
}

test("lines are counted as editors count them", async () => {
  expect(await read("")).toEqual({ lines: [], totalLines: 0, cutLines: 0 });
  expect(await read("a")).toEqual({ lines: ["a"], totalLines: 1, cutLines: 0 });
  expect(await read("a\n")).toEqual({ lines: ["a"], totalLines: 1, cutLines: 0 });
  expect(await read("a\n\nb\r\n")).toEqual({ lines: ["a", "", "b"], totalLines: 3, cutLines: 0 });
  expect(await read("\n")).toEqual({ lines: [""], totalLines: 1, cutLines: 0 });
});

test("a window tells where to go on, and at the end how many there are", async () => {
  expect(await read("1\n2\n3\n4\n5\n", { firstLine: 2, mostLines: 2 })).toEqual({
    lines: ["2", "3"],
    nextLine: 4,
    cutLines: 0,
  });
  expect(await read("1\n2\n3\n4\n5\n", { firstLine: 4, mostLines: 2 })).toEqual({
    lines: ["4", "5"],
    totalLines: 5,
    cutLines: 0,
  });
  expect(await read("1\n2\n", { firstLine: 9 })).toEqual({ lines: [], totalLines: 2, cutLines: 0 });
});

test("the number of characters is bounded, but one line always comes", async () => {
  expect(await read("aaaa\nbbbb\ncccc\n", { mostCharacters: 10 })).toEqual({
    lines: ["aaaa", "bbbb"],
    nextLine: 3,
    cutLines: 0,
  });
  expect(await read("aaaaaaaaaaaa\nb\n", { mostCharacters: 3 })).toMatchObject({
    lines: ["aaaaaaaaaaaa"],
    nextLine: 2,
  });
});

test("a line of many megabytes is cut, and says so", async () => {
  const read9 = await read(`${"x".repeat(9_000_000)}\nend\n`, { longestLine: 10 });
  expect(read9).toEqual({
    lines: ["xxxxxxxxxx… (8999990 more characters in this line)", "end"],
    totalLines: 2,
    cutLines: 1,
  });
});

test("UTF-16 is read by its mark, broken UTF-8 with replacements, and what holds a NUL is binary", async () => {
  expect(await read(Buffer.from("\ufeffa\nb\n", "utf16le"))).toMatchObject({ lines: ["a", "b"] });
  expect(await read(Buffer.from([0x61, 0xff, 0x62, 0x0a]))).toMatchObject({ lines: ["a\ufffdb"] });
  expect(await read(Buffer.from([0x61, 0x00, 0x62]))).toEqual({ binary: true });
  expect(await read(Buffer.concat([Buffer.alloc(200_000, 97), Buffer.from([0])]))).toEqual({ binary: true });
});

test("windows laid end to end give the file", async () => {
  const lines = fc.array(
    fc.string({ unit: "grapheme", maxLength: 20 }).map((line) => line.replace(/[\n\r\0]/g, "")),
    { maxLength: 30 },
  );
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 60 }),
      async (all, mostLines, mostCharacters) => {
        const got: string[] = [];
        for (let firstLine: number | undefined = 1; firstLine !== undefined; ) {
          const part = await read(all.map((line) => `${line}\n`).join(""), {
            firstLine,
            mostLines,
            mostCharacters,
          });
          if ("binary" in part) throw new Error("not binary");
          got.push(...part.lines);
          firstLine = part.nextLine;
        }
        // A byte order mark at the very beginning is not part of the text.
        expect(got.join("\n")).toBe(all.join("\n").replace(/^\ufeff/, ""));
      },
    ),
    { numRuns: 100 },
  );
});
