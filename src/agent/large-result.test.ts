import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { succeeded } from "../tools/tool-result.ts";
import { cutMiddle, fitResult } from "./large-result.ts";
import { largeResultFolder } from "./large-result-folder.ts";
import { calls, createKit, ofType, runToEnd, says } from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";
import { estimateTokens } from "./token-estimate.ts";

const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1} of the log`);
const log = lines.join("\n");

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "large-result-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function result(content: string) {
  return { callId: "c1", toolId: "run_command", content };
}

describe("a result within the budget", () => {
  it("stays as it is, and is not stored", async () => {
    const fitted = await fitResult(result("short"), 100, () =>
      Promise.reject(new Error("must not be stored")),
    );
    expect(fitted).toEqual({ content: "short" });
  });

  it("may be exactly as long as the budget", async () => {
    const text = "x".repeat(400);
    expect(await fitResult(result(text), 100)).toEqual({ content: text });
    expect((await fitResult(result(`${text}x`), 100)).cut).toBeDefined();
  });
});

describe("a result beyond the budget", () => {
  it("keeps its head and its tail, in whole lines, and says what is missing and where it is", async () => {
    const { content, cut } = await fitResult(result(log), 1_000, async () => "/results/1.txt");
    const shown = content.split("\n");
    const note = shown.findIndex((line) => line.startsWith("[…"));
    expect(shown.slice(0, note)).toEqual(lines.slice(0, note));
    expect(shown.slice(note + 1)).toEqual(lines.slice(-(shown.length - note - 1)));
    expect(shown.length - note - 1).toBeGreaterThan(note);
    const missing = lines.length - (shown.length - 1);
    expect(shown[note]).toMatch(
      new RegExp(`^\\[… ${missing} lines \\(\\d+ of ${log.length} bytes\\) left out here\\.`),
    );
    expect(shown[note]).toContain(
      "The whole output is in /results/1.txt; read the part you need from there.",
    );
    expect(cut).toEqual({
      totalTokens: estimateTokens(log),
      keptTokens: estimateTokens(content),
      storedAt: "/results/1.txt",
    });
  });

  it("fits the budget, whatever it is made of", () => {
    const text = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 200, maxLength: 3_000 }),
      fc.array(fc.string({ maxLength: 80 }), { minLength: 20, maxLength: 200 }).map((all) => all.join("\n")),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 400, max: 2_000 }), (content, budget) => {
        fc.pre(Buffer.byteLength(content) > budget);
        const cut = cutMiddle(content, budget, "note");
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(budget);
        const [head = "", tail = ""] = cut.split(/\n?\[… \d+ lines .* note …\]\n/);
        expect(content.startsWith(head)).toBe(true);
        expect(content.endsWith(tail)).toBe(true);
        expect(head.length + tail.length).toBeLessThan(content.length);
      }),
    );
  });

  it("keeps head and tail of a single long line", () => {
    const cut = cutMiddle(`start${"x".repeat(100_000)}end`, 1_000, "note");
    expect(cut.startsWith("start")).toBe(true);
    expect(cut.endsWith("end")).toBe(true);
    expect(cut.length).toBeGreaterThan(800);
  });

  it("never splits a character", () => {
    for (let budget = 400; budget < 420; budget += 1) {
      expect(cutMiddle("😀€".repeat(1_000), budget, "note")).not.toContain("\ufffd");
    }
  });

  it("says so when the whole is not kept, or could not be", async () => {
    expect((await fitResult(result(log), 1_000)).content).toContain("The rest was not kept");
    const broken = await fitResult(result(log), 1_000, () => Promise.reject(new Error("disk full")));
    expect(broken.content).toContain("could not be kept (disk full)");
    expect(broken.cut).not.toHaveProperty("storedAt");
  });
});

describe("the folder for large results", () => {
  it("is made when needed and keeps the whole, for the user alone", async () => {
    const folder = join(await temporaryFolder(), "a", "b");
    const path = await largeResultFolder(folder)(result(log));
    expect(path).toBe(join(folder, "run_command-c1.txt"));
    expect(await readFile(path, "utf8")).toBe(log);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("uses no name twice and lets no id out of the folder", async () => {
    const folder = await temporaryFolder();
    const store = largeResultFolder(folder);
    await Promise.all(
      ["one", "two", "three"].map((content) => store({ callId: "../../x/y", toolId: "t", content })),
    );
    const names = (await readdir(folder)).toSorted();
    expect(names).toEqual(["t-______x_y-2.txt", "t-______x_y-3.txt", "t-______x_y.txt"]);
    const contents = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    expect(contents.toSorted()).toEqual(["one", "three", "two"]);
  });
});

it("is what the model gets from a run, with the whole where it can be read", async () => {
  const folder = await temporaryFolder();
  const { agent } = createKit([[calls("read_file", { path: "a" }, "c1")], [says("ok")]], {
    tools: [aTool({ run: () => succeeded(log, { data: { lines: 2_000 } }) })],
    settings: { maxToolResultTokens: 500 },
    storeLargeResult: largeResultFolder(folder),
  });
  const { events, messages } = await runToEnd(agent);
  const [event] = ofType(events, "tool_result");
  expect(event?.cut?.storedAt).toBe(join(folder, "read_file-c1.txt"));
  expect(await readFile(event?.cut?.storedAt ?? "", "utf8")).toBe(log);
  expect(event?.result.data).toEqual({ lines: 2_000 });
  expect(messages[2]).toMatchObject({ content: [{ text: event?.result.content }] });
  expect(estimateTokens(event?.result.content ?? "")).toBeLessThanOrEqual(500);
});

it("estimates tokens as a quarter of the bytes", () => {
  expect([
    estimateTokens(""),
    estimateTokens("abcd"),
    estimateTokens("abcde"),
    estimateTokens("漢字"),
  ]).toEqual([0, 1, 2, 2]);
});
