import type { JsonValue } from "../model/json.ts";

const maxDepth = 200;
const literals: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["NaN", null],
  ["Infinity", null],
]);
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

const impossible = /^\s*[{[]\s*$|^\s*\{\s*[^"}\s]|^\s*\[\s*[^\s\]{["\d\-tfn]/;

/** JSON as it was meant, or undefined. */
export function readJson(text: string): JsonValue | undefined {
  // An exception costs more than reading most calls.
  if (impossible.test(text)) return readLenientJson(text);
  try {
    return JSON.parse(text);
  } catch {
    return readLenientJson(text);
  }
}

/**
 * JSON as models get it slightly wrong: single quotes, raw line breaks and bare quotes in strings, unquoted keys,
 * trailing commas, Python's literals, leading zeros. Undefined when it is no value at all.
 */
export function readLenientJson(text: string): JsonValue | undefined {
  const reader = new LenientReader(text);
  const value = reader.value(0);
  return reader.failed || !reader.atEnd() ? undefined : value;
}

class LenientReader {
  failed = false;
  readonly #text: string;
  #pos = 0;

  constructor(text: string) {
    this.#text = text;
  }

  atEnd(): boolean {
    this.#space();
    return this.#pos >= this.#text.length;
  }

  value(depth: number): JsonValue {
    this.#space();
    const char = this.#text[this.#pos];
    if (char === undefined || depth > maxDepth) return this.#fail();
    if (char === "{") return this.#object(depth);
    if (char === "[") return this.#list(depth);
    if (char === '"' || char === "'") return this.#string(char);
    const word = this.#word();
    if (literals.has(word)) return literals.get(word) ?? null;
    return /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(word) ? Number(word) : this.#fail();
  }

  #object(depth: number): JsonValue {
    const entries: [string, JsonValue][] = [];
    this.#pos++;
    for (;;) {
      this.#space();
      const char = this.#text[this.#pos];
      if (char === "}") {
        this.#pos++;
        return Object.fromEntries(entries);
      }
      const quoted = char === '"' || char === "'";
      const key = quoted ? this.#string(char) : this.#word();
      this.#space();
      if (this.failed || (key === "" && !quoted) || this.#text[this.#pos] !== ":") return this.#fail();
      this.#pos++;
      entries.push([key, this.value(depth + 1)]);
      if (this.failed || !this.#separator("}")) return this.#fail();
    }
  }

  #list(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.#pos++;
    for (;;) {
      this.#space();
      if (this.#text[this.#pos] === "]") {
        this.#pos++;
        return items;
      }
      items.push(this.value(depth + 1));
      if (this.failed || !this.#separator("]")) return this.#fail();
    }
  }

  #separator(closer: string): boolean {
    this.#space();
    const char = this.#text[this.#pos];
    if (char === ",") this.#pos++;
    return char === "," || char === closer;
  }

  #string(delimiter: string): string {
    const text = this.#text;
    let read = "";
    let from = ++this.#pos;
    for (let i = from; i < text.length; i++) {
      const char = text[i];
      if (char === "\\") {
        const next = text[i + 1] ?? "";
        const code = next === "u" ? /^[0-9a-fA-F]{4}/.exec(text.slice(i + 2, i + 6))?.[0] : undefined;
        const known = code === undefined ? escapes[next] : String.fromCharCode(Number.parseInt(code, 16));
        read += text.slice(from, i) + (known ?? (/["'\\/]/.test(next) ? next : `\\${next}`));
        i += code === undefined ? 1 : 5;
        from = i + 1;
      } else if (char === delimiter && this.#closesString(i + 1)) {
        this.#pos = i + 1;
        return read + text.slice(from, i);
      }
    }
    this.#fail();
    return "";
  }

  /** A quote that nothing of JSON follows is part of the string. */
  #closesString(after: number): boolean {
    let i = after;
    while (/\s/.test(this.#text[i] ?? "")) i++;
    return i >= this.#text.length || ",:}]".includes(this.#text[i] ?? "");
  }

  #word(): string {
    const from = this.#pos;
    while (/[\w.+$-]/.test(this.#text[this.#pos] ?? "")) this.#pos++;
    return this.#text.slice(from, this.#pos);
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#pos] ?? "")) this.#pos++;
  }

  #fail(): null {
    this.failed = true;
    return null;
  }
}
