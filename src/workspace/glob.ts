/** A pattern that would match an unreasonable number of ways. The message is for the model. */
export class BadGlob extends Error {
  override readonly name = "BadGlob";
}

type Character = { readonly any: true } | { readonly chosen: (character: string) => boolean };
/** `*` inside of a name. */
type Token = Character | "star";
/** `**`: any number of folders. */
type Segment = readonly Token[] | "folders";

const mostAlternatives = 100;

/**
 * `*`, `?`, `[a-z]`, `[!a-z]`, `{a,b}` and `**`; a pattern without a slash matches at any depth. The time it takes grows
 * with the length of pattern and path only: a hostile pair of them, which would keep a regular expression busy for
 * years, is nothing special. Throws `BadGlob`.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  const alternatives = expandBraces(pattern).map((alternative) => {
    const anchored = alternative.replace(/^(\.?\/)+/, "").replace(/\/+$/, "/**");
    return pathMatcher(anchored.includes("/") || anchored !== alternative ? anchored : `**/${anchored}`);
  });
  return (path) => alternatives.some((matches) => matches(path));
}

/** For a whole path, without braces, in the same time. A `**` at the end stands for something, not for nothing. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const parts = pattern.split(/\/+/);
  const segments = parts.flatMap((part, at): readonly Segment[] => {
    if (part !== "**") return [tokensOf(part)];
    return at === parts.length - 1 ? ["folders", ["star"]] : ["folders"];
  });
  return (path) =>
    matchSequence<Segment, string>(segments, path.split("/"), (segment) => segment === "folders", matchName);
}

function matchName(segment: Segment, name: string): boolean {
  return (
    segment !== "folders" &&
    matchSequence<Token, string>(
      segment,
      [...name],
      (token) => token === "star",
      (token, character) => token !== "star" && ("any" in token || token.chosen(character)),
    )
  );
}

/** Going back to the last wildcard is enough: an earlier one that took more could only leave less to match. */
function matchSequence<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  isWild: (part: Part) => boolean,
  matches: (part: Part, item: Item) => boolean,
): boolean {
  let part = 0;
  let lastWild = -1;
  let taken = 0;
  for (let item = 0; item < items.length; ) {
    const current = parts[part];
    const value = items[item];
    if (current !== undefined && isWild(current)) {
      lastWild = part++;
      taken = item;
    } else if (current !== undefined && value !== undefined && matches(current, value)) {
      part++;
      item++;
    } else if (lastWild !== -1) {
      part = lastWild + 1;
      item = ++taken;
    } else return false;
  }
  return parts.slice(part).every(isWild);
}

function tokensOf(part: string): readonly Token[] {
  const characters = [...part];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? "";
    if (character === "*") tokens.push("star");
    else if (character === "?") tokens.push({ any: true });
    else if (character === "[" && characters.indexOf("]", at + 2) !== -1) {
      const end = characters.indexOf("]", at + 2);
      tokens.push(choice(characters.slice(at + 1, end)));
      at = end;
    } else {
      const literal = character === "\\" ? (characters[++at] ?? "\\") : character;
      tokens.push({ chosen: (candidate) => candidate === literal });
    }
  }
  return tokens;
}

function choice(written: readonly string[]): Character {
  const negated = written.length > 1 && (written[0] === "!" || written[0] === "^");
  const members = negated ? written.slice(1) : written;
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? "";
    const to = members[at + 1] === "-" ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return {
    chosen: (character) => ranges.some(([from, to]) => from <= character && character <= to) !== negated,
  };
}

/** `a{b,c{d,e}}` is `ab`, `acd` and `ace`. Braces without a comma between them mean themselves. */
function expandBraces(pattern: string): readonly string[] {
  const done: string[] = [];
  const open = [pattern];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const choices = firstChoices(next);
    if (!choices) done.push(next);
    else open.push(...choices);
    if (done.length + open.length > mostAlternatives)
      throw new BadGlob(`The pattern has more than ${mostAlternatives} alternatives. Take a simpler one.`);
  }
  return done;
}

function firstChoices(pattern: string): readonly string[] | undefined {
  for (let start = pattern.indexOf("{"); start !== -1; start = pattern.indexOf("{", start + 1)) {
    if (pattern[start - 1] === "\\") continue;
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < pattern.length; at++) {
      const character = pattern[at];
      if (character === "\\") at++;
      else if (character === "{") depth++;
      else if (character === "," && depth === 1) commas.push(at);
      else if (character === "}" && --depth === 0) {
        if (commas.length === 0) break;
        const edges = [start, ...commas, at];
        return edges
          .slice(1)
          .map((edge, index) =>
            [
              pattern.slice(0, start),
              pattern.slice((edges[index] ?? 0) + 1, edge),
              pattern.slice(at + 1),
            ].join(""),
          );
      }
    }
  }
  return undefined;
}
