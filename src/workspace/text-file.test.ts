import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeText, encodeText, plainForm, withLineEnds } from "./text-file.ts";

test("any text in any form comes back byte by byte", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "é", "😀", "\n", "\r\n", "\r", "\t") });
  const form = fc.record({
    encoding: fc.constantFrom("utf-8" as const, "utf-16le" as const, "utf-16be" as const),
    byteOrderMark: fc.boolean(),
  });
  fc.assert(
    fc.property(text, form, (words, { encoding, byteOrderMark }) => {
      // Without its mark, UTF-16 cannot be told from anything else.
      const mark = byteOrderMark || encoding !== "utf-8";
      const bytes = encodeText(words, { encoding, byteOrderMark: mark, lineEnd: "\n" });
      const decoded = decodeText(bytes);
      expect(decoded?.text).toBe(words);
      expect(decoded && encodeText(decoded.text, decoded.form)).toEqual(bytes);
    }),
  );
});

test("what is no text is told", () => {
  expect(decodeText(Buffer.from([0x61, 0x00]))).toBeUndefined();
  expect(decodeText(Buffer.from([0x61, 0xff]))).toBeUndefined();
  expect(decodeText(Buffer.from([0xff, 0xfe, 0x61]))).toBeUndefined();
  expect(decodeText(Buffer.alloc(0))).toEqual({ text: "", form: plainForm });
});

test("the usual line end is what most lines have", () => {
  expect(decodeText(Buffer.from("a\r\nb\r\nc\n"))?.form.lineEnd).toBe("\r\n");
  expect(decodeText(Buffer.from("a\r\nb\nc\n"))?.form.lineEnd).toBe("\n");
  expect(withLineEnds("a\nb\r\n", "\r\n")).toBe("a\r\nb\r\n");
  expect(withLineEnds("a\nb\r\n", "\n")).toBe("a\nb\n");
});
