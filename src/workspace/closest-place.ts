/** Enough to find a place, few enough to stay quick in a huge file. */
const mostLines = 50_000;
const mostWanted = 200;
const mostShown = 12;

/** For a text that is not there: what is most like it, with line numbers, and what may be wrong with it. */
export function describeClosest(text: string, wanted: string): string {
  const lines = text.split("\n", mostLines);
  const wantedLines = trimEmpty(wanted.split("\n", mostWanted));
  if (wantedLines.length > 0 && wantedLines.every((line) => /^\s*\d+\t/.test(line)))
    return "Leave out the line numbers that read_file puts before each line.";
  const place = closest(lines, wantedLines);
  if (!place) return "Nothing in the file is like it. Read the file again.";
  const found = lines.slice(place.line, place.line + Math.min(wantedLines.length, mostShown));
  const shown = found.map((line, at) => `${place.line + at + 1}\t${line.slice(0, 300)}`).join("\n");
  const why = place.score === 1 ? "It differs only in white space. " : "";
  return `${why}The closest place:\n${shown}\nRepeat the text exactly as it is in the file.`;
}

type Place = { readonly line: number; readonly score: number };

/** The window of as many lines where the most are alike; what is alike in most lines of a file counts for little. */
function closest(lines: readonly string[], wanted: readonly string[]): Place | undefined {
  const trimmed = lines.map((line) => line.trim());
  let best: Place | undefined;
  const consider = (line: number, score: number) => {
    if (score > (best?.score ?? 0)) best = { line, score };
  };
  const weights = wanted.map((line) => line.trim().length + 1);
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const places = placesByLine(trimmed);
  const seen = new Set<number>();
  for (const [at, line] of wanted.entries()) {
    for (const place of places.get(line.trim())?.slice(0, 50) ?? []) {
      const start = place - at;
      if (start < 0 || seen.has(start)) continue;
      seen.add(start);
      let score = 0;
      for (const [index, other] of wanted.entries())
        if (trimmed[start + index] === other.trim()) score += weights[index] ?? 0;
      consider(start, score / whole);
    }
  }
  return best ?? closestLine(trimmed, wanted);
}

function placesByLine(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [at, line] of lines.entries()) {
    if (line === "") continue;
    const known = places.get(line);
    if (known) known.push(at);
    else places.set(line, [at]);
  }
  return places;
}

/** No line is the same: the one that shares the most pairs of letters with the most telling line. */
function closestLine(lines: readonly string[], wanted: readonly string[]): Place | undefined {
  const longest = wanted.reduce((one, other) => (other.trim().length > one.length ? other.trim() : one), "");
  const at = wanted.findIndex((line) => line.trim() === longest);
  const pairs = pairsOf(longest.slice(0, 300));
  if (pairs.size === 0) return undefined;
  let best: Place | undefined;
  for (const [index, line] of lines.entries()) {
    const others = pairsOf(line.slice(0, 300));
    let common = 0;
    for (const pair of others) if (pairs.has(pair)) common++;
    const score = (2 * common) / (pairs.size + others.size);
    if (score > 0.5 && score > (best?.score ?? 0)) best = { line: Math.max(0, index - at), score };
  }
  return best && { ...best, score: Math.min(best.score, 0.99) };
}

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (let at = 0; at + 1 < text.length; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}

function trimEmpty(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== "");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return first === -1 ? [] : lines.slice(first, last + 1);
}
