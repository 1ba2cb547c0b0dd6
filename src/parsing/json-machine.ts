import {
  backslash,
  closeBrace,
  closeBracket,
  colon,
  comma,
  doubleQuote,
  openBrace,
  openBracket,
} from "./char-code.ts";

const states = {
  value: 0,
  valueOrEnd: 1,
  keyOrEnd: 2,
  key: 3,
  colon: 4,
  after: 5,
  string: 6,
  escape: 7,
  word: 8,
} as const;

type State = (typeof states)[keyof typeof states];

const wordLimit = 40;
const textLimit = 256;
const numberOrLiteral = /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?)$/;

/** What a character did: `error` means that the text so far begins no JSON value. */
export type Move = "on" | "key" | "string" | "opened" | "closed" | "error";

/** Follows JSON character by character and knows at once when it is none. */
export class JsonMachine {
  readonly #stack: number[] = [];
  #state: State = states.value;
  #readsKey = false;
  /** The last short string read, without quotes and still escaped. */
  text = "";

  get depth(): number {
    return this.#stack.length;
  }

  /** Whether the whole value was read. */
  get done(): boolean {
    return this.#state === states.after && this.#stack.length === 0;
  }

  feed(code: number): Move {
    switch (this.#state) {
      case states.string:
        return this.#inString(code);
      case states.escape:
        this.#state = states.string;
        this.#take(code);
        return "on";
      case states.word:
        return this.#inWord(code);
      default:
        return this.#between(code);
    }
  }

  /** Takes a chunk that lies wholly inside a string. False, with nothing taken, when it does not. */
  absorb(chunk: string): boolean {
    if (this.#state !== states.string) return false;
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i);
      if (code === doubleQuote || code === backslash || code < 32) return false;
    }
    if (this.text.length <= textLimit) this.text = (this.text + chunk).slice(0, textLimit + 1);
    return true;
  }

  #inString(code: number): Move {
    if (code === doubleQuote) {
      this.#state = this.#readsKey ? states.colon : states.after;
      return this.#readsKey ? "key" : "string";
    }
    if (code < 32) return "error";
    if (code === backslash) this.#state = states.escape;
    this.#take(code);
    return "on";
  }

  #inWord(code: number): Move {
    const isWord =
      (code >= 48 && code <= 57) ||
      (code >= 97 && code <= 122) ||
      code === 46 ||
      code === 43 ||
      code === 45 ||
      code === 69;
    if (isWord) {
      this.#take(code);
      return this.text.length > wordLimit ? "error" : "on";
    }
    if (!numberOrLiteral.test(this.text)) return "error";
    this.#state = states.after;
    return this.#between(code);
  }

  #between(code: number): Move {
    if (code === 32 || code === 10 || code === 13 || code === 9) return "on";
    const state = this.#state;
    if (state === states.colon) {
      this.#state = states.value;
      return code === colon ? "on" : "error";
    }
    if (code === closeBrace || code === closeBracket) return this.#close(code);
    if (state === states.after) return this.#comma(code);
    if (state === states.key || state === states.keyOrEnd)
      return code === doubleQuote ? this.#beginString(true) : "error";
    return this.#beginValue(code);
  }

  #comma(code: number): Move {
    if (code !== comma || this.#stack.length === 0) return "error";
    this.#state = this.#stack.at(-1) === openBrace ? states.key : states.value;
    return "on";
  }

  #close(code: number): Move {
    const opener = code === closeBrace ? openBrace : openBracket;
    const empty = code === closeBrace ? states.keyOrEnd : states.valueOrEnd;
    if (this.#stack.at(-1) !== opener || (this.#state !== states.after && this.#state !== empty))
      return "error";
    this.#stack.pop();
    this.#state = states.after;
    return "closed";
  }

  #beginValue(code: number): Move {
    if (code === doubleQuote) return this.#beginString(false);
    if (code === openBrace || code === openBracket) {
      this.#stack.push(code);
      this.#state = code === openBrace ? states.keyOrEnd : states.valueOrEnd;
      return "opened";
    }
    if (code !== 45 && code !== 116 && code !== 102 && code !== 110 && (code < 48 || code > 57))
      return "error";
    this.text = "";
    this.#state = states.word;
    this.#take(code);
    return "on";
  }

  #beginString(isKey: boolean): Move {
    this.#readsKey = isKey;
    this.#state = states.string;
    this.text = "";
    return "on";
  }

  #take(code: number): void {
    if (this.text.length <= textLimit) this.text += String.fromCharCode(code);
  }
}
