import type { ToolDefinition } from "../model/model-request.ts";
import type { Format } from "./format.ts";
import { formatNamed } from "./formats/catalogue.ts";
import type { IncompleteCall, ParsedCall, ParsedText, ParserEvent } from "./parser-event.ts";
import { Scanner } from "./scanner.ts";
import { ToolSet } from "./tool-set.ts";

export type ParserOptions = {
  /** How the model writes calls, by the names of `formatNames`; every known way is looked for when it is not known. */
  readonly format?: string | undefined;
  /** What the model may call. Types values that are written without a type, and tells a call from other JSON. */
  readonly tools?: readonly ToolDefinition[] | undefined;
  /** In which state the prompt left the model: templates often open the thinking themselves. */
  readonly start?: "content" | "thinking" | undefined;
  /** `inline` leaves thinking in the text, markers and all. */
  readonly thinking?: "separate" | "inline" | undefined;
  /** `leave` separates thinking only, and leaves what would be calls in the text. */
  readonly calls?: "read" | "leave" | undefined;
  /** Marks around thinking other than the format's own. */
  readonly thinkingMarks?: { readonly open: string; readonly close: string } | undefined;
};

export type ToolCallParser = {
  /** What can be told from the text so far. Text is held back only while it may still begin a call. */
  push(chunk: string): readonly ParserEvent[];
  /** The rest. Nothing may be pushed after it. */
  end(): readonly ParserEvent[];
};

/** Reads text as it comes: the same text gives the same text, thinking and calls wherever it is cut. */
export function createToolCallParser(options: ParserOptions = {}): ToolCallParser {
  const scanner = new Scanner({
    format: withMarks(formatNamed(options.format), options.thinkingMarks),
    tools: new ToolSet(options.tools),
    start: options.start ?? "content",
    thinking: options.thinking ?? "separate",
    calls: options.calls !== "leave",
  });
  return { push: (chunk) => scanner.push(chunk), end: () => scanner.end() };
}

/** Reads a whole text. */
export function parseToolCalls(text: string, options: ParserOptions = {}): ParsedText {
  const parser = createToolCallParser(options);
  let content = "";
  let thinking = "";
  const calls: ParsedCall[] = [];
  let incomplete: IncompleteCall | undefined;
  for (const events of [parser.push(text), parser.end()]) {
    for (const event of events) {
      if (event.type === "text") content += event.text;
      else if (event.type === "thinking") thinking += event.text;
      else if (event.type === "call") calls.push(event.call);
      else if (event.type === "incomplete_call") {
        incomplete = { text: event.text, ...(event.name === undefined ? {} : { name: event.name }) };
      }
    }
  }
  return { content, thinking, calls, incomplete };
}

function withMarks(format: Format, marks: ParserOptions["thinkingMarks"]): Format {
  if (!marks || !format.thinking) return format;
  return { ...format, thinking: { ...format.thinking, open: [marks.open], close: [marks.close] } };
}
