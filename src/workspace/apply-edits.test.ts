import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyEdits, type TextEdit } from "./apply-edits.ts";

const edit = (text: string, edits: readonly TextEdit[], lineEnd: "\n" | "\r\n" = "\n") => {
  const edited = applyEdits(text, edits, lineEnd);
  return edited.ok ? edited.text : edited.problem;
};

describe("edits", () => {
  test("replace exactly one place, one after the other", () => {
    const edits = [
      { oldText: "one", newText: "two" },
      { oldText: "two", newText: "three" },
    ];
    expect(edit("a one b", edits)).toBe("a three b");
  });

  test("replace every place when told to", () => {
    expect(applyEdits("aXbXc", [{ oldText: "X", newText: "$&", replaceAll: true }], "\n")).toEqual({
      ok: true,
      text: "a$&b$&c",
      replaced: 2,
    });
  });

  test("are all made or none, and the one that failed is named", () => {
    const edits = [
      { oldText: "a", newText: "b" },
      { oldText: "missing here", newText: "x" },
    ];
    expect(edit("a", edits)).toMatch(/^Edit 2 of 2: oldText was not found\./);
  });

  test("find LF text in a CRLF file and write CRLF, leaving other line ends alone", () => {
    expect(edit("a\r\nb\r\nc\nd\r\n", [{ oldText: "a\nb\n", newText: "x\ny\n" }], "\r\n")).toBe(
      "x\r\ny\r\nc\nd\r\n",
    );
    expect(edit("a\r\nb\n", [{ oldText: "a\r\nb", newText: "x\r\ny" }], "\n")).toBe("x\ny\n");
    expect(edit("a\r\nb\r\na\r\n", [{ oldText: "\na", newText: "\nz" }], "\r\n")).toBe("a\r\nb\r\nz\r\n");
  });
});

describe("an edit that does not fit says what to do", () => {
  const file = "function a() {\n    return 1;\n}\n\nfunction b() {\n    return 1;\n}\n";

  test("with several places: their lines", () => {
    expect(edit(file, [{ oldText: "return 1;", newText: "x" }])).toBe(
      "oldText is there 2 times, at lines 2, 6. Add lines around it so that it is unique, or set replaceAll.",
    );
    expect(edit("aaa", [{ oldText: "aa", newText: "x" }])).toContain("2 times, at lines 1, 1");
  });

  test("with other white space: so, and where", () => {
    expect(edit(file, [{ oldText: "function b() {\n  return 1;\n}", newText: "x" }])).toBe(
      "oldText was not found. It differs only in white space. The closest place:\n" +
        "5\tfunction b() {\n6\t    return 1;\n7\t}\nRepeat the text exactly as it is in the file.",
    );
  });

  test("with a word wrong: the closest place", () => {
    expect(edit(file, [{ oldText: "function b() {\n    return 2;\n}", newText: "x" }])).toContain(
      "5\tfunction b() {",
    );
    expect(edit(file, [{ oldText: "    return 12;", newText: "x" }])).toContain("2\t    return 1;");
  });

  test("with line numbers in it, empty, unchanged, or like nothing", () => {
    expect(edit(file, [{ oldText: "1\tfunction a() {\n2\t    return 1;", newText: "x" }])).toContain(
      "line numbers",
    );
    expect(edit(file, [{ oldText: "", newText: "x" }])).toContain("write_file");
    expect(edit(file, [{ oldText: "\r\n", newText: "\n" }])).toBe("oldText and newText are the same.");
    expect(edit(file, [{ oldText: "zzz", newText: "x" }])).toContain("Read the file again.");
  });
});

test("an edit changes its place and nothing else, whatever the line ends", () => {
  const piece = fc.string({ unit: fc.constantFrom("a", "b", "\n", "\r\n", "\r", " "), maxLength: 12 });
  fc.assert(
    fc.property(
      piece,
      piece,
      piece,
      fc.constantFrom("\n" as const, "\r\n" as const),
      (head, newText, tail, end) => {
        // Carriage returns that would join with a line feed across a border make another text.
        const before = head.endsWith("\r") ? `${head} ` : head;
        const after = tail.startsWith("\n") ? ` ${tail}` : tail;
        const text = `${before}<old>\r\n<text>${after}`;
        const edited = applyEdits(text, [{ oldText: "<old>\n<text>", newText }], end);
        const written = newText.replaceAll("\r\n", "\n").replaceAll("\n", end);
        expect(edited).toEqual({ ok: true, text: `${before}${written}${after}`, replaced: 1 });
      },
    ),
  );
});

test("an edit and its opposite give the old text", () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), (head, middle, tail) => {
      const text = `${head}«${middle}${tail}`;
      if (/\r\n|«.*«/s.test(text)) return;
      const there = applyEdits(text, [{ oldText: `«${middle}`, newText: "»" }], "\n");
      if (!there.ok || head.includes("»") || tail.includes("»")) return;
      expect(edit(there.text, [{ oldText: "»", newText: `«${middle}` }])).toBe(text);
    }),
  );
});

test("a huge file that does not match is answered quickly", () => {
  const text = "the same line\n".repeat(200_000);
  expect(edit(text, [{ oldText: "the same line\nanother line\n".repeat(50), newText: "x" }])).toContain(
    "not found",
  );
});
