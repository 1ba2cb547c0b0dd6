import fc from "fast-check";
import { expect, test } from "vitest";
import { PlainOutput, plainText } from "./plain-output.ts";

test.each([
  ["plain\ttext\n", "plain\ttext\n"],
  ["\u001b[1;31mred\u001b[0m \u001b[38:5:1mx\u001b[K", "red x"],
  ["\u001b[?25l\u001b[2J\u001b[1Gspin\u001b(B", "spin"],
  ["a\r\nb\rc", "a\nb\nc"],
  ["\u001b]52;c;aGk=\u0007", "\\x1b]52;c;aGk=\\x07"],
  ["\u001b]0;title\u001b\\", "\\x1b]0;title\\x1b\\"],
  ["\u001b]8;;http://x\u001b\\link", "\\x1b]8;;http://x\\x1b\\link"],
  ["\u001b[6n\u001b[c\u009b6n", "\\x1b[6n\\x1b[c\\x9b6n"],
  ["a\u202eb\u200bc\u{e0041}", "a\\u{202e}b\\u{200b}c\\u{e0041}"],
  ["bell\u0007 nul\u0000 back\b", "bell\\x07 nul\\x00 back\\x08"],
  ["👩\u200d💻", "👩\u200d💻"],
])("%j is shown as %j", (raw, shown) => expect(plainText(raw)).toBe(shown));

test("the same bytes cut anywhere give the same text", () => {
  const unit = fc.constantFrom(
    "a",
    "é",
    "😀",
    "\r",
    "\n",
    "\u001b",
    "[",
    "]",
    "(",
    "3",
    "1",
    ";",
    "m",
    "K",
    "B",
    "?",
    "\u0007",
    "\u009b",
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 40 }), fc.array(fc.nat(50), { maxLength: 6 }), (text, cuts) => {
      const bytes = Buffer.from(text);
      const plain = new PlainOutput();
      let shown = "";
      let from = 0;
      for (const cut of [...cuts.filter((at) => at < bytes.length).sort((a, b) => a - b), bytes.length]) {
        shown += plain.write(bytes.subarray(from, cut));
        from = cut;
      }
      expect(shown + plain.end()).toBe(plainText(text));
    }),
    { numRuns: 500 },
  );
});

test("nothing that acts on a terminal comes through", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const plain = new PlainOutput();
      const shown = plain.write(Buffer.from(bytes)) + plain.end();
      expect(shown).toMatch(/^(?:[\t\n]|\P{Cc})*$/u);
    }),
  );
});
