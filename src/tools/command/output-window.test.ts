import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TemporaryFolder } from "../testing/tool-kit.ts";
import { OutputWindow } from "./output-window.ts";

test("keeps what fits, and head and tail of what does not, however it comes", () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{0,9}$/), { maxLength: 30 }), (pieces) => {
      const whole = pieces.join("");
      const window = new OutputWindow({ head: 10, tail: 20 });
      for (const piece of pieces) window.add(piece);
      expect(window.total).toBe(whole.length);
      expect(window.last(5)).toBe(whole.slice(-5));
      expect(window.text()).toBe(
        whole.length <= 30
          ? whole
          : `${whole.slice(0, 10)}\n[… ${whole.length - 30} characters left out here; it was not kept …]\n${whole.slice(-20)}`,
      );
    }),
  );
});

test("keeps the whole in a private file once it does not fit", () => {
  using folder = new TemporaryFolder();
  const kept = join(folder.path, "kept");
  using window = new OutputWindow({ head: 10, tail: 10, folder: kept });
  window.add("0123456789");
  expect(window.file).toBeUndefined();
  for (let at = 0; at < 100; at++) window.add(`line ${at}\n`);
  const [name] = readdirSync(kept);
  expect(window.file).toBe(join(kept, name ?? ""));
  const whole = `0123456789${Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join("")}`;
  expect(readFileSync(window.file ?? "", "utf8")).toBe(whole);
  expect(statSync(window.file ?? "").mode & 0o077).toBe(0);
  expect(window.text()).toContain(`the whole output is in ${window.file}`);
});

test("goes on without a file when there can be none", () => {
  using folder = new TemporaryFolder({ file: "" });
  using window = new OutputWindow({ head: 2, tail: 2, folder: join(folder.path, "file") });
  window.add("abcdefgh");
  expect(window.text()).toBe("ab\n[… 4 characters left out here; it was not kept …]\ngh");
});
