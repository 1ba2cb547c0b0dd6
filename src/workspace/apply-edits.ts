import { describeClosest } from "./closest-place.ts";

export type TextEdit = {
  readonly oldText: string;
  readonly newText: string;
  /** Every place; otherwise there must be exactly one. */
  readonly replaceAll?: boolean;
};

export type EditedText =
  | { readonly ok: true; readonly text: string; readonly replaced: number }
  /** In words for the model: what did not fit, and what it could have meant. */
  | { readonly ok: false; readonly problem: string };

/**
 * Applies edits one after the other, each to what the one before it made; all of them or none. Line ends do not matter
 * when looking for the old text; the new text gets the given ones, and all that is not replaced keeps its own.
 */
export function applyEdits(original: string, edits: readonly TextEdit[], lineEnd: "\n" | "\r\n"): EditedText {
  let text = original;
  let replaced = 0;
  for (const [index, edit] of edits.entries()) {
    const step = applyEdit(text, edit, lineEnd);
    if (!step.ok) {
      const which = edits.length === 1 ? "" : `Edit ${index + 1} of ${edits.length}: `;
      return { ok: false, problem: `${which}${step.problem}` };
    }
    text = step.text;
    replaced += step.replaced;
  }
  return { ok: true, text, replaced };
}

function applyEdit(
  text: string,
  { oldText, newText, replaceAll = false }: TextEdit,
  lineEnd: "\n" | "\r\n",
): EditedText {
  const wanted = oldText.replaceAll("\r\n", "\n");
  const replacement = newText.replaceAll("\r\n", "\n");
  if (wanted === "")
    return { ok: false, problem: "oldText is empty. To write a whole file, use write_file." };
  if (wanted === replacement) return { ok: false, problem: "oldText and newText are the same." };
  const plain = text.replaceAll("\r\n", "\n");
  const places = placesOf(plain, wanted, replaceAll ? wanted.length : 1);
  if (places.length === 0)
    return { ok: false, problem: `oldText was not found. ${describeClosest(plain, wanted)}` };
  if (places.length > 1 && !replaceAll) return { ok: false, problem: severalPlaces(plain, places) };
  const written = lineEnd === "\n" ? replacement : replacement.replaceAll("\n", "\r\n");
  return { ok: true, text: splice(text, plain, places, wanted.length, written), replaced: places.length };
}

function placesOf(text: string, wanted: string, step: number): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + step)) places.push(at);
  return places;
}

/** `places` are offsets in `plain`, which is `text` without the carriage returns of its line ends. */
function splice(
  text: string,
  plain: string,
  places: readonly number[],
  length: number,
  replacement: string,
): string {
  const offset = text.length === plain.length ? (at: number) => at : offsetsIn(text);
  const pieces: string[] = [];
  let done = 0;
  for (const place of places) {
    const start = offset(place);
    pieces.push(text.slice(done, start), replacement);
    done = offset(place + length);
  }
  return pieces.join("") + text.slice(done);
}

/** From an offset in the plain text to the one in `text`; asked in ascending order, so that one pass is enough. */
function offsetsIn(text: string): (at: number) => number {
  let returns = 0;
  let next = text.indexOf("\r\n");
  return (at) => {
    while (next !== -1 && next - returns < at) {
      returns++;
      next = text.indexOf("\r\n", next + 1);
    }
    return at + returns;
  };
}

const mostNamed = 10;

function severalPlaces(text: string, places: readonly number[]): string {
  const lines: number[] = [];
  let line = 1;
  let from = 0;
  for (const place of places.slice(0, mostNamed)) {
    for (let at = text.indexOf("\n", from); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line++;
    from = place;
    lines.push(line);
  }
  const more = places.length > mostNamed ? " and more" : "";
  return (
    `oldText is there ${places.length} times, at lines ${lines.join(", ")}${more}. ` +
    "Add lines around it so that it is unique, or set replaceAll."
  );
}
