import { endOfInput } from "../char-code.ts";
import { type Body, defineFormat } from "../format.ts";
import { readGemmaArguments } from "../gemma-value.ts";
import { type MarkerSet, markerSet } from "../marker-set.ts";
import { accept, acceptAfterSpace, markerHere, type Reading, readUntil, skipSpace } from "../reader.ts";
import type { Scanner } from "../scanner.ts";

type Style = { readonly open: string; readonly close: string; readonly quote: string };

const nameLimit = 128;

/** `call:f{key:<|"|>text<|"|>,n:1}`, with each generation's own marks. */
function gemmaBody(style: Style): Body {
  const nameEnds = markerSet(["{", style.close, style.open]);
  const inString = [style.quote, style.close, style.open];
  const marks = { inString: markerSet(inString), outside: markerSet(inString, ["{", "}", "[", "]", '"']) };
  const ends = markerSet([style.close]);
  return function* (scanner) {
    const { source } = scanner;
    if ((yield* skipSpace(source)) === endOfInput) {
      scanner.incomplete();
      return true;
    }
    yield* accept(source, style.open);
    if (yield* accept(source, style.close)) return true;
    if (!(yield* accept(source, "call:"))) return false;
    const header = yield* readUntil(source, nameEnds, nameLimit);
    if (header.marker === undefined && !header.tooLong) {
      scanner.incomplete();
      return true;
    }
    if (header.marker !== "{") return false;
    const name = header.text.trim();
    scanner.begin(name);
    const extent = yield* readExtent(scanner, style, marks);
    if (extent === undefined) {
      scanner.incomplete(name);
      return true;
    }
    const schema = { properties: scanner.tools.propertiesOf(name), root: scanner.tools.schemaOf(name) };
    const args =
      (extent.complete
        ? readGemmaArguments(extent.text, style.quote, { repairs: false, schema })
        : undefined) ?? readGemmaArguments(extent.text, style.quote, { repairs: true, schema });
    if (!args) {
      yield* acceptAfterSpace(source, ends);
      scanner.malformed("not_readable", name);
      return true;
    }
    scanner.call(name, args);
    yield* acceptAfterSpace(source, ends);
    return true;
  };
}

/**
 * Reads the braces to their end, past strings. A closing mark of the call inside a string counts only if that string
 * never ends properly: its second mark was forgotten.
 */
function* readExtent(
  scanner: Scanner,
  style: Style,
  marks: { readonly inString: MarkerSet<string>; readonly outside: MarkerSet<string> },
): Reading<{ readonly text: string; readonly complete: boolean } | undefined> {
  const { source } = scanner;
  let text = "";
  let tail = "";
  let depth = 0;
  let inside: string | undefined;
  let fallback: { readonly text: string; readonly offset: number } | undefined;
  for (;;) {
    const read = yield* readUntil(source, inside === style.quote ? marks.inString : marks.outside);
    text += read.text;
    const { marker } = read;
    if (marker === undefined) break;
    if (inside === undefined && (marker === style.close || marker === style.open))
      return { text, complete: false };
    if (marker === style.close) fallback ??= { text, offset: source.offset };
    source.pos += marker.length;
    text += marker;
    tail = (tail + read.text.slice(-16) + marker).slice(-16);
    if (inside !== undefined) {
      const escaped = inside === '"' && /(^|[^\\])(\\\\)*\\$/.test(read.text.slice(-16));
      if (marker !== inside || escaped) continue;
      inside = undefined;
      if (fallback && marker === style.quote && !(yield* goesOn(scanner))) break;
    } else if (marker === style.quote) inside = style.quote;
    else if (marker === '"') inside = startsValue(tail) ? '"' : undefined;
    else if (marker === "{" || marker === "[") depth++;
    else {
      depth--;
      if (depth === 0) return { text, complete: true };
    }
  }
  if (!fallback) return undefined;
  source.rewind(fallback.offset);
  return { text: fallback.text, complete: false };
}

const followers = markerSet([",", "}", "]", ":"]);

/** Whether what follows a string belongs to the call. */
function* goesOn(scanner: Scanner): Reading<boolean> {
  const before = scanner.source.offset;
  yield* skipSpace(scanner.source);
  const next = yield* markerHere(scanner.source, followers);
  scanner.source.rewind(before);
  return next !== undefined;
}

/** A quote opens a string only where a value or a key begins. */
function startsValue(tail: string): boolean {
  return /[:,[{]\s*"$/.test(tail);
}

const gemma4Style: Style = { open: "<|tool_call>", close: "<tool_call|>", quote: '<|"|>' };
const functionStyle: Style = {
  open: "<start_function_call>",
  close: "<end_function_call>",
  quote: "<escape>",
};

export const gemma4Calls = [{ text: gemma4Style.open, body: gemmaBody(gemma4Style) }] as const;
export const functionGemmaCalls = [{ text: functionStyle.open, body: gemmaBody(functionStyle) }] as const;

export const gemma4 = defineFormat({
  name: "gemma4",
  calls: gemma4Calls,
  dropped: [gemma4Style.close, "<turn|>", "<|turn>"],
  thinking: {
    open: ["<|channel>"],
    close: ["<channel|>"],
    labels: ["thought\n", "thought"],
    reopens: true,
    calls: "quoted",
    repeatedOpener: "dropped",
    secondCloser: "dropped",
  },
});

export const functionGemma = defineFormat({
  name: "functiongemma",
  calls: functionGemmaCalls,
  dropped: [functionStyle.close, "<end_of_turn>"],
});
