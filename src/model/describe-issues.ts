import type * as z from "zod/mini";

type Issue = z.core.$ZodIssue;

/** How to speak of what was checked. */
export type IssueWords = {
  /** What one entry is called: `argument`, `setting`. */
  readonly entry: string;
  /** All of them together: `The arguments`. */
  readonly whole: string;
  /** The names there are at the top. */
  readonly known: readonly string[];
  /** Whether a value must not be shown. */
  readonly isSecret?: (path: readonly PropertyKey[]) => boolean;
};

/** What the plain zod says when a schema has no words of its own. */
const noWords = "Invalid input";

/** Zod's findings in words to act on, for a model or a person: which entry, what is expected, what came instead. */
export function describeIssues(
  issues: readonly Issue[],
  input: unknown,
  words: IssueWords,
): readonly string[] {
  return issues.map((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(issue, words);
    const value = valueAt(input, issue.path);
    const got = value === undefined || words.isSecret?.(issue.path) ? "" : `; got ${show(value)}`;
    return `${nameOf(issue.path, words)} ${expectation(issue, value)}${got}`;
  });
}

function expectation(issue: Issue, value: unknown): string {
  if (issue.message !== noWords) return issue.message;
  return value === undefined ? `is required${wanted(issue)}` : `must ${requirement(issue)}`;
}

function wanted(issue: Issue): string {
  if (issue.code === "invalid_type") return `: give ${withArticle(issue.expected)}`;
  if (issue.code === "invalid_value") return `: give ${alternatives(issue.values)}`;
  return "";
}

function requirement(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return `be ${withArticle(issue.expected)}`;
    case "invalid_value":
      return `be ${alternatives(issue.values)}`;
    case "too_small":
      return `${measure(issue.origin)} ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `${measure(issue.origin)} ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case "not_multiple_of":
      return `be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return issue.format === "regex" ? `match ${issue.pattern}` : `be a valid ${issue.format}`;
    case "invalid_union":
      return unionRequirement(issue.errors);
    case "invalid_key":
    case "invalid_element":
      return "have valid entries";
    default:
      return "be valid";
  }
}

function unionRequirement(branches: readonly (readonly Issue[])[]): string {
  const choices = branches.flatMap((branch) => {
    const [first] = branch;
    if (!first) return [];
    const where = first.path.length > 0 ? `have a \`${pathName(first.path)}\` that must ` : "";
    return [`${where}${requirement(first)}`];
  });
  return choices.length > 0 ? [...new Set(choices)].join(", or ") : "fit one of the allowed shapes";
}

function unknownKeys(issue: Extract<Issue, { code: "unrecognized_keys" }>, words: IssueWords): string {
  const names = issue.keys.map((key) => nameOf([...issue.path, key], words)).join(", ");
  const are = issue.keys.length === 1 ? `is not a known ${words.entry}` : `are not known ${words.entry}s`;
  const hint = issue.path.length === 0 ? `; known: ${words.known.join(", ") || "none"}` : "";
  return `${names} ${are}${hint}`;
}

function nameOf(path: readonly PropertyKey[], { whole }: IssueWords): string {
  return path.length === 0 ? whole : `\`${pathName(path)}\``;
}

function pathName(path: readonly PropertyKey[]): string {
  const name = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return name.replace(/^\./, "");
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const shown = 80;

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shown ? `${text.slice(0, shown)}…` : text;
}

function alternatives(values: readonly unknown[]): string {
  const list = values.map(show).join(", ");
  return values.length === 1 ? list : `one of ${list}`;
}

function withArticle(type: string): string {
  if (type === "int") return "a whole number";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

function measure(origin: string): string {
  return isCounted(origin) ? "have" : "be";
}

function unit(origin: string, count: number | bigint): string {
  if (!isCounted(origin)) return "";
  return `${origin === "string" ? " character" : " item"}${Number(count) === 1 ? "" : "s"}`;
}

function isCounted(origin: string): boolean {
  return origin === "string" || origin === "array" || origin === "set" || origin === "map";
}
