import * as z from "zod/mini";

/** Bytes that are no text come in base64. */
const words = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);

const schema = z.object({
  type: z.enum(["match", "context"]),
  data: z.object({
    path: words,
    lines: words,
    line_number: z.number(),
    submatches: z.array(z.object({ start: z.number() })),
  }),
});

/** A line that ripgrep found, or one beside it. */
export type FoundLine = {
  readonly path: string;
  /** Not known of a line too long to show. */
  readonly line: number | undefined;
  readonly text: string;
  readonly isMatch: boolean;
};

const longestShown = 400;

/** One line of `rg --json`, or its beginning. Nothing when it tells of something else. */
export function parseRipgrepMessage(record: string, isWhole: boolean): FoundLine | undefined {
  // Most of a search's messages can be told by their beginning; parsing is what costs.
  if (!record.startsWith('{"type":"match"') && !record.startsWith('{"type":"context"')) return undefined;
  if (!isWhole) return parseBeginning(record);
  const parsed = z.safeParse(schema, JSON.parse(record));
  if (!parsed.success) return undefined;
  const { type, data } = parsed.data;
  const text = textOf(data.lines).replace(/\r?\n$/, "");
  return {
    path: textOf(data.path),
    line: data.line_number,
    text: around(text, data.submatches[0]?.start ?? 0),
    isMatch: type === "match",
  };
}

function parseBeginning(record: string): FoundLine | undefined {
  const [, type, path] =
    /^\{"type":"(match|context)","data":\{"path":\{"text":("(?:[^"\\]|\\.)*")/.exec(record) ?? [];
  if (type === undefined || path === undefined) return undefined;
  const text = "(a line too long to show)";
  return { path: String(JSON.parse(path)), line: undefined, text, isMatch: type === "match" };
}

function textOf(value: z.infer<typeof words>): string {
  return "text" in value ? value.text : Buffer.from(value.bytes, "base64").toString();
}

/** The part of a long line where the match is. `start` counts bytes, which is close enough for a window. */
function around(text: string, start: number): string {
  if (text.length <= longestShown) return text;
  const from = Math.max(0, Math.min(start - 100, text.length - longestShown));
  const window = text.slice(from, from + longestShown).toWellFormed();
  return `${from > 0 ? "…" : ""}${window}… (line of ${text.length} characters)`;
}
