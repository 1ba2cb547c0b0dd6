import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";

export type RepairedArguments = { readonly arguments: JsonObject; readonly repairs: readonly string[] };

/**
 * Reads arguments that are nearly JSON, where only one reading is possible: a code fence around them, trailing commas,
 * bare keys, Python's words, line breaks inside strings, an object written as a string. Anything else (something
 * missing, a quote too many, a key twice) has several readings, and a call that nobody meant must not run.
 */
export function repairArguments(text: string): RepairedArguments | undefined {
  if (text.length > longest) return undefined;
  const reader = new TolerantReader(withoutFence(text.trim()));
  if (reader.text !== text.trim()) reader.repairs.add("removed a code fence");
  if (reader.text === "") return { arguments: {}, repairs: ["read nothing as no arguments"] };
  try {
    const value = unwrap(reader.readAll(), reader);
    return isJsonObject(value) ? { arguments: value, repairs: [...reader.repairs] } : undefined;
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function withoutFence(text: string): string {
  return /^```(?:json)?[ \t]*\n(.*?)\n?[ \t]*```$/s.exec(text)?.[1]?.trim() ?? text;
}

function unwrap(value: JsonValue, reader: TolerantReader): JsonValue {
  if (typeof value !== "string") return value;
  reader.repairs.add("read a string that holds an object");
  try {
    return JSON.parse(value);
  } catch {
    // Not JSON inside: too far from an object to guess.
    throw new Unreadable();
  }
}

class Unreadable extends Error {}

const deepest = 100;
/** Characters. Nothing a model writes is longer, and pattern matching has its limits. */
const longest = 2_000_000;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};
const words: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };
const pythonWords: Readonly<Record<string, JsonValue>> = { True: true, False: false, None: null };

class TolerantReader {
  readonly text: string;
  readonly repairs = new Set<string>();
  #at = 0;

  constructor(text: string) {
    this.text = text;
  }

  readAll(): JsonValue {
    const value = this.#value(0);
    this.#space();
    if (this.#at < this.text.length) throw new Unreadable();
    return value;
  }

  #value(depth: number): JsonValue {
    if (depth > deepest) throw new Unreadable();
    this.#space();
    const next = this.text[this.#at];
    if (next === "{") return this.#object(depth);
    if (next === "[") return this.#array(depth);
    if (next === '"') return this.#string();
    return this.#number() ?? this.#word();
  }

  #object(depth: number): JsonObject {
    const entries = new Map<string, JsonValue>();
    this.#list("{", "}", () => {
      const key = this.#key();
      this.#expect(":");
      if (entries.has(key)) throw new Unreadable();
      entries.set(key, this.#value(depth + 1));
    });
    return Object.fromEntries(entries);
  }

  #array(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.#list("[", "]", () => items.push(this.#value(depth + 1)));
    return items;
  }

  #list(open: string, close: string, readItem: () => void): void {
    this.#expect(open);
    for (let items = 0; ; items += 1) {
      if (this.#take(close)) return;
      if (items > 0) {
        this.#expect(",");
        if (this.#take(close)) return void this.repairs.add("removed a trailing comma");
      }
      readItem();
    }
  }

  #key(): string {
    this.#space();
    if (this.text[this.#at] === '"') return this.#string();
    const bare = this.#match(/[A-Za-z_$][\w$]*/y);
    if (bare === undefined) throw new Unreadable();
    this.repairs.add("quoted a bare key");
    return bare;
  }

  #string(): string {
    const raw = this.#match(/"[^"\\]*(?:\\.[^"\\]*)*"/sy);
    if (raw === undefined) throw new Unreadable();
    const inner = raw.slice(1, -1);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    if (/[\u0000-\u001f]/.test(inner))
      this.repairs.add("escaped a line break or control character in a string");
    return inner.replace(/\\(u[0-9a-fA-F]{4}|.)/gs, (_all, code: string) => this.#unescape(code));
  }

  #unescape(code: string): string {
    const known = escapes[code];
    if (known !== undefined) return known;
    if (code.length === 5) return String.fromCharCode(Number.parseInt(code.slice(1), 16));
    if (code !== "'") throw new Unreadable();
    this.repairs.add("removed a needless escape");
    return code;
  }

  #number(): number | undefined {
    const number = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y);
    return number === undefined ? undefined : Number(number);
  }

  #word(): JsonValue {
    const word = this.#match(/[A-Za-z]+(?!\w)/y) ?? "";
    if (Object.hasOwn(words, word)) return words[word] ?? null;
    if (!Object.hasOwn(pythonWords, word)) throw new Unreadable();
    this.repairs.add("replaced a word of Python");
    return pythonWords[word] ?? null;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #take(character: string): boolean {
    this.#space();
    if (this.text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new Unreadable();
  }

  #space(): void {
    this.#match(/[ \t\r\n]+/y);
  }
}
