import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { typedValue } from "./typed-value.ts";

const maxDepth = 200;

export type GemmaSchema = {
  readonly properties: JsonObject | undefined;
  readonly root: JsonObject | undefined;
};

/**
 * The arguments of `call:f{key:value}`: bare keys, strings between `quote` marks, the rest as in JSON. Forgotten
 * marks and brackets at the end are forgiven when `repairs` is set. Undefined: it cannot be read.
 */
export function readGemmaArguments(
  text: string,
  quote: string,
  { repairs, schema }: { readonly repairs: boolean; readonly schema: GemmaSchema },
): JsonObject | undefined {
  const reader = new GemmaReader(text, quote, repairs, schema.root);
  const value = reader.object(0, schema.properties);
  return reader.failed ? undefined : value;
}

class GemmaReader {
  failed = false;
  readonly #text: string;
  readonly #quote: string;
  readonly #repairs: boolean;
  readonly #root: JsonObject | undefined;
  #pos = 0;

  constructor(text: string, quote: string, repairs: boolean, root: JsonObject | undefined) {
    this.#text = text;
    this.#quote = quote;
    this.#repairs = repairs;
    this.#root = root;
  }

  object(depth: number, properties: JsonObject | undefined): JsonObject {
    const entries: [string, JsonValue][] = [];
    this.#pos++;
    for (;;) {
      this.#space();
      if (this.#closes("}")) return Object.fromEntries(entries);
      const key = this.#key();
      if (key === "" || depth > maxDepth) this.failed = true;
      if (this.failed) return {};
      entries.push([key, this.#value(depth, properties?.[key])]);
      this.#space();
      if (this.failed || !this.#separates("}")) this.failed = true;
      if (this.failed) return {};
    }
  }

  #list(depth: number, schema: JsonValue | undefined): JsonValue {
    const items: JsonValue[] = [];
    this.#pos++;
    for (;;) {
      this.#space();
      if (this.#closes("]")) return items;
      if (depth > maxDepth) this.failed = true;
      if (this.failed) return null;
      items.push(this.#value(depth + 1, isJsonObject(schema) ? schema.items : undefined));
      this.#space();
      if (this.failed || !this.#separates("]")) this.failed = true;
      if (this.failed) return null;
    }
  }

  #key(): string {
    const delimiter = [this.#quote, '"', "'"].find((mark) => this.#text.startsWith(mark, this.#pos));
    const from = this.#pos + (delimiter?.length ?? 0);
    const end = this.#text.indexOf(delimiter ?? ":", from);
    if (end < 0 || end - from > 256) return "";
    this.#pos = end + (delimiter?.length ?? 0);
    this.#space();
    if (this.#text[this.#pos] !== ":") return "";
    this.#pos++;
    return this.#text.slice(from, end).trim();
  }

  #value(depth: number, schema: JsonValue | undefined): JsonValue {
    const before = this.#pos;
    this.#space();
    const text = this.#text;
    const char = text[this.#pos];
    if (text.startsWith(this.#quote, this.#pos)) return this.#quoted();
    if (char === "{") {
      return this.object(
        depth + 1,
        isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : undefined,
      );
    }
    if (char === "[") return this.#list(depth, schema);
    if (char === '"') return this.#jsonString();
    if (char === "'") return this.#singleQuoted();
    return this.#bare(before, schema);
  }

  /** A string between marks; one whose second mark was forgotten runs to the end. */
  #quoted(): JsonValue {
    const from = this.#pos + this.#quote.length;
    const end = this.#text.indexOf(this.#quote, from);
    if (end >= 0) {
      this.#pos = end + this.#quote.length;
      return this.#text.slice(from, end);
    }
    if (!this.#repairs) return this.#fail();
    return this.#restFrom(from);
  }

  #jsonString(): JsonValue {
    for (let i = this.#pos + 1; i < this.#text.length; i++) {
      if (this.#text[i] === "\\") i++;
      else if (this.#text[i] === '"') {
        const written = this.#text.slice(this.#pos, i + 1);
        this.#pos = i + 1;
        try {
          return JSON.parse(written);
        } catch {
          return written.slice(1, -1);
        }
      }
    }
    return this.#repairs ? this.#restFrom(this.#pos + 1) : this.#fail();
  }

  #singleQuoted(): JsonValue {
    const from = this.#pos + 1;
    const end = this.#text.indexOf("'", from);
    if (end < 0) return this.#repairs ? this.#restFrom(from) : this.#fail();
    this.#pos = end + 1;
    if (this.#repairs && this.#text.startsWith(this.#quote, this.#pos)) this.#pos += this.#quote.length;
    return this.#text.slice(from, end);
  }

  #bare(before: number, schema: JsonValue | undefined): JsonValue {
    const word = /^[^,{}[\]\s]*/.exec(this.#text.slice(this.#pos, this.#pos + 256))?.[0] ?? "";
    const after = this.#nextAfter(this.#pos + word.length);
    if (word !== "" && (after === "," || after === "}" || after === "]" || after === undefined)) {
      this.#pos += word.length;
      if (schema !== undefined) return typedValue(word, schema, this.#root);
      const value = literal(word);
      return value === undefined ? word : value;
    }
    return this.#repairs ? this.#restFrom(before) : this.#fail();
  }

  #nextAfter(pos: number): string | undefined {
    let i = pos;
    while (/\s/.test(this.#text[i] ?? "")) i++;
    return this.#text[i];
  }

  /** Everything that is left, without one closing bracket. */
  #restFrom(from: number): string {
    const rest = this.#text.slice(from);
    this.#pos = this.#text.length;
    return rest.endsWith("}") ? rest.slice(0, -1) : rest;
  }

  #separates(closer: string): boolean {
    const char = this.#text[this.#pos];
    if (char === ",") this.#pos++;
    return char === "," || char === closer || (this.#repairs && char === undefined);
  }

  #closes(closer: string): boolean {
    if (this.#text[this.#pos] === closer) {
      this.#pos++;
      return true;
    }
    return this.#repairs && this.#pos >= this.#text.length;
  }

  #space(): void {
    while (/\s/.test(this.#text[this.#pos] ?? "")) this.#pos++;
  }

  #fail(): null {
    this.failed = true;
    return null;
  }
}

function literal(word: string): JsonValue | undefined {
  if (word === "true" || word === "false") return word === "true";
  if (word === "null") return null;
  return /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(word) ? Number(word) : undefined;
}
