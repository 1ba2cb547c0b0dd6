import type * as z from "zod/mini";

type Issue = z.core.$ZodIssue;

/** Zod's findings in words a model can act on: which argument, what is expected, what came instead. */
export function describeIssues(
  issues: readonly Issue[],
  input: unknown,
  known: readonly string[],
): readonly string[] {
  return issues.map((issue) => {
    const value = valueAt(input, issue.path);
    if (issue.code === "unrecognized_keys") return unknownKeys(issue, known);
    return `${nameOf(issue.path)} ${expectation(issue, value)}`;
  });
}

function expectation(issue: Issue, value: unknown): string {
  if (value === undefined) return `is required${wanted(issue)}`;
  return `must ${requirement(issue)}; got ${show(value)}`;
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
      return `${measure(issue.origin)} at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case "too_big":
      return `${measure(issue.origin)} at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
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
      return issue.message === "Invalid input" ? "be valid" : `be valid (${issue.message})`;
  }
}

function unionRequirement(branches: readonly (readonly Issue[])[]): string {
  const choices = branches.flatMap((branch) => {
    const [first] = branch;
    if (!first) return [];
    const where = first.path.length > 0 ? `have a ${nameOf(first.path)} that must ` : "";
    return [`${where}${requirement(first)}`];
  });
  return choices.length > 0 ? [...new Set(choices)].join(", or ") : "fit one of the allowed shapes";
}

function unknownKeys(issue: Extract<Issue, { code: "unrecognized_keys" }>, known: readonly string[]): string {
  const names = issue.keys.map((key) => nameOf([...issue.path, key])).join(", ");
  const are = issue.keys.length === 1 ? "is not a known argument" : "are not known arguments";
  const hint = issue.path.length === 0 ? `; known: ${known.join(", ") || "none"}` : "";
  return `${names} ${are}${hint}`;
}

function nameOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return "The arguments";
  const name = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return `\`${name.replace(/^\./, "")}\``;
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
