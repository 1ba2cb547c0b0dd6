import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleText } from "./visible-text.ts";

test("plain text, tabs, line breaks, accents, emoji and right-to-left scripts stay as they are", () => {
  for (const text of ["a\tb\nc", "naïve café", "日本語", "👩‍💻 ❤️", "שלום", ""])
    expect(visibleText(text)).toBe(text);
});

test("what a terminal would obey is written out", () => {
  expect(visibleText("\x1b[31mred")).toBe("\\x1b[31mred");
  expect(visibleText("\x1b]52;c;ZXZpbA==\x07")).toBe("\\x1b]52;c;ZXZpbA==\\x07");
  expect(visibleText("\x1b]8;;http://x\x1b\\link")).toBe("\\x1b]8;;http://x\\x1b\\link");
  expect(visibleText("\x9b2J\x85")).toBe("\\x9b2J\\x85");
  expect(visibleText("a\rb\bc\x7f")).toBe("a\\x0db\\x08c\\x7f");
  expect(visibleText("a\r\nb")).toBe("a\nb");
});

test("what hides or reorders text is written out", () => {
  expect(visibleText("a\u202eb\u2066c\u200bd\ufeff")).toBe("a\\u{202e}b\\u{2066}c\\u{200b}d\\u{feff}");
  expect(visibleText("x\u{e0041}")).toBe("x\\u{e0041}");
  expect(visibleText("\u2028\u2029")).toBe("\\u{2028}\\u{2029}");
});

test("nothing that controls a terminal is ever left", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const obeyed = [...visibleText(text)].filter((character) =>
        /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(character),
      );
      expect(obeyed.filter((character) => character !== "\t" && character !== "\n")).toEqual([]);
    }),
  );
});
