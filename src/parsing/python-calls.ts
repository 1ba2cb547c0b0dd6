import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

export type PythonCall = { readonly name: string; readonly arguments: JsonObject };

const maxDepth = 200;
const identifier = /[A-Za-z_][\w.-]*/y;
const keyword = /[A-Za-z_]\w*/y;
const number = /[-+]?(\d[\d_]*\.?\d*|\.\d+)([eE][-+]?\d+)?/y;
const literals: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["null", null],
]);
const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  b: "\b",
  f: "\f",
  "0": "\0",
  "\n": "",
};

/**
 * Calls written as Python, one or several: `f(a=1), g()`. Only literals are values. Where that fails, it is tried
 * once more with quotes inside strings left bare, as in `run(command='sed -n '1,2p' x')`.
 */
export function readPythonCalls(text: string): readonly PythonCall[] | undefined {
  return new PythonReader(text, false).calls() ?? new PythonReader(text, true).calls();
}

class PythonReader {
  readonly #text: string;
  readonly #bareQuotes: boolean;
  #pos = 0;
  #failed = false;

  constructor(text: string, bareQuotes: boolean) {
    this.#text = text;
    this.#bareQuotes = bareQuotes;
  }

  calls(): readonly PythonCall[] | undefined {
    const calls: PythonCall[] = [];
    for (;;) {
      this.#space();
      if (this.#pos >= this.#text.length) return calls.length > 0 ? calls : undefined;
      const call = this.#call();
      if (this.#failed) return undefined;
      calls.push(call);
      this.#space();
      this.#accept(",");
    }
  }

  #call(): PythonCall {
    const name = this.#match(identifier);
    this.#space();
    if (name === "" || !this.#accept("(")) return this.#fail({ name, arguments: {} });
    const entries: [string, JsonValue][] = [];
    for (;;) {
      this.#space();
      if (this.#accept(")")) return { name, arguments: Object.fromEntries(entries) };
      if (this.#text[this.#pos] === "{" && entries.length === 0) return this.#withOnlyObject(name);
      const key = this.#match(keyword);
      this.#space();
      if (key === "" || !this.#accept("=")) return this.#fail({ name, arguments: {} });
      entries.push([key, this.#value(0)]);
      this.#space();
      if (this.#failed || (!this.#accept(",") && this.#text[this.#pos] !== ")")) {
        return this.#fail({ name, arguments: {} });
      }
    }
  }

  /** `f({"a": 1})`: the arguments as one object. */
  #withOnlyObject(name: string): PythonCall {
    const value = this.#value(0);
    this.#space();
    if (this.#accept(")") && isJsonObject(value)) return { name, arguments: value };
    return this.#fail({ name, arguments: {} });
  }

  #value(depth: number): JsonValue {
    this.#space();
    const char = this.#text[this.#pos] ?? "";
    if (depth > maxDepth) return this.#fail(null);
    if (char === "{") return this.#braces(depth);
    if (char === "[") return this.#items("]", depth);
    if (char === "(") return this.#items(")", depth);
    if (char === '"' || char === "'") return this.#strings(depth);
    const word = this.#match(keyword);
    if (word !== "") return literals.has(word) ? (literals.get(word) ?? null) : this.#fail(null);
    const digits = this.#match(number);
    return digits === "" ? this.#fail(null) : Number(digits.replaceAll("_", ""));
  }

  #items(closer: string, depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#pos++;
    for (;;) {
      this.#space();
      if (this.#accept(closer)) return items;
      items.push(this.#value(depth + 1));
      this.#space();
      if (this.#failed || (!this.#accept(",") && this.#text[this.#pos] !== closer)) return this.#fail(null);
    }
  }

  /** A dictionary, or a set, which becomes a list. */
  #braces(depth: number): JsonValue {
    const entries: [string, JsonValue][] = [];
    const items: JsonValue[] = [];
    this.#pos++;
    for (;;) {
      this.#space();
      if (this.#accept("}")) return items.length > 0 ? items : Object.fromEntries(entries);
      const first = this.#value(depth + 1);
      this.#space();
      if (this.#accept(":")) entries.push([String(first), this.#value(depth + 1)]);
      else items.push(first);
      this.#space();
      if (this.#failed || (!this.#accept(",") && this.#text[this.#pos] !== "}")) return this.#fail(null);
    }
  }

  /** Strings side by side are one. */
  #strings(depth: number): string {
    let read = this.#string(depth);
    for (;;) {
      this.#space();
      const char = this.#text[this.#pos];
      if (this.#failed || this.#bareQuotes || (char !== '"' && char !== "'")) return read;
      read += this.#string(depth);
    }
  }

  #string(depth: number): string {
    const text = this.#text;
    const mark = text[this.#pos] ?? "";
    const triple = text.startsWith(mark.repeat(3), this.#pos);
    const delimiter = triple ? mark.repeat(3) : mark;
    let read = "";
    let from = this.#pos + delimiter.length;
    for (let i = from; i < text.length; i++) {
      const char = text[i];
      if (char === "\\") {
        const coded = /^(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))/.exec(text.slice(i + 1, i + 6));
        const digits = coded?.[1] ?? coded?.[2];
        const meant = digits
          ? String.fromCharCode(Number.parseInt(digits, 16))
          : escapedChar(text[i + 1] ?? "");
        read += text.slice(from, i) + meant;
        i += coded?.[0].length ?? 1;
        from = i + 1;
      } else if (
        char === mark &&
        text.startsWith(delimiter, i) &&
        this.#closes(i + delimiter.length, depth)
      ) {
        this.#pos = i + delimiter.length;
        return read + text.slice(from, i);
      }
    }
    return this.#fail("");
  }

  /** Whether a quote ends its string: always, unless bare quotes are expected; then by what follows. */
  #closes(after: number, depth: number): boolean {
    if (!this.#bareQuotes) return true;
    const rest = this.#text.slice(after, after + 256).trimStart();
    if (depth > 0) return /^[,\]}:)]/.test(rest);
    return /^(,\s*[A-Za-z_]\w*\s*=|\)\s*\]?\s*$|\)\s*,?\s*[A-Za-z_][\w.-]*\()/.test(rest);
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#pos;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#pos += found.length;
    return found;
  }

  #accept(char: string): boolean {
    if (this.#text[this.#pos] !== char) return false;
    this.#pos++;
    return true;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#pos] ?? "")) this.#pos++;
  }

  #fail<T>(value: T): T {
    this.#failed = true;
    return value;
  }
}

function escapedChar(char: string): string {
  return escapes[char] ?? (char === '"' || char === "'" || char === "\\" ? char : `\\${char}`);
}
