import { closeBrace, closeBracket, comma, openBrace, openBracket, semicolon } from "./char-code.ts";
import type { Body } from "./format.ts";
import { argumentKeys, callKeys, nameKeys, readObjectCall } from "./json-call.ts";
import { JsonMachine } from "./json-machine.ts";
import { readJson } from "./lenient-json.ts";
import { peek, type Reading, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";

const isNameKey: ReadonlySet<string> = new Set(nameKeys);
const isArgumentKey: ReadonlySet<string> = new Set(argumentKeys);

/** How reading unmarked JSON ended. `broken_data`: after it was let out as data, it turned out not to be JSON. */
export type UnmarkedOutcome = "calls" | "data" | "broken_data" | "not_json";

/**
 * JSON in the answer with nothing to say that it is a call: an object, or a list of objects. It is one only when it
 * is valid and names a declared tool with an arguments object; it is held no longer than that can still be.
 */
export const unmarkedJson: Body = function* (scanner, marker) {
  scanner.source.pos -= marker.length;
  return (yield* readUnmarkedJson(scanner)) !== "not_json";
};

/** Reads the value at whose bracket the source stands. Data is let out as text; what is no JSON is left to be put back. */
export function* readUnmarkedJson(scanner: Scanner): Reading<UnmarkedOutcome> {
  const { source } = scanner;
  if (source.offset < scanner.unmarkedFloor) return "not_json";
  let outcome: UnmarkedOutcome | undefined;
  for (;;) {
    const found = yield* new UnmarkedValue(scanner).read();
    if (found === "not_json") {
      if (outcome) scanner.putBack();
      return outcome ?? found;
    }
    outcome ??= found;
    if (found === "data") return yield* passAdjacent(scanner);
    if (found === "broken_data") return found;
    if (!(yield* acceptSeparator(scanner))) return outcome;
  }
}

/** JSON values that follow data on the same line are data too. */
function* passAdjacent(scanner: Scanner): Reading<UnmarkedOutcome> {
  const { source } = scanner;
  for (;;) {
    let code = yield* peek(source);
    while (code === 32 || code === 9) {
      source.pos++;
      code = yield* peek(source);
    }
    scanner.plain(scanner.unsettled());
    scanner.settle();
    if (code !== openBrace && code !== openBracket) return "data";
    const machine = new JsonMachine();
    if (!(yield* passValue(scanner, machine))) return "data";
  }
}

/** Lets the rest of a value out as text. False when it turns out not to be JSON. */
function* passValue(scanner: Scanner, machine: JsonMachine): Reading<boolean> {
  const { source } = scanner;
  for (;;) {
    const { text, pos } = source;
    let i = pos;
    let broken = false;
    while (i < text.length && !machine.done && !broken) {
      broken = machine.feed(text.charCodeAt(i)) === "error";
      if (!broken) i++;
    }
    source.pos = i;
    scanner.plain(text.slice(pos, i));
    scanner.settle();
    if (broken) scanner.unmarkedFloor = source.offset;
    if (broken || machine.done) return !broken;
    if (source.ended) return false;
    yield;
  }
}

/** Between calls: `;` or `,` if another object follows. Brackets closed once too often are dropped. */
function* acceptSeparator(scanner: Scanner): Reading<boolean> {
  const { source } = scanner;
  let code = yield* peek(source);
  while (code === closeBracket || code === closeBrace) {
    source.pos++;
    code = yield* peek(source);
  }
  scanner.settle();
  code = yield* skipSpace(source);
  if (code === semicolon || code === comma) {
    source.pos++;
    code = yield* skipSpace(source);
    if (code === openBrace) {
      scanner.settle();
      return true;
    }
  }
  scanner.putBack();
  return false;
}

class UnmarkedValue {
  readonly #scanner: Scanner;
  readonly #machine = new JsonMachine();
  /** The depth at which the keys of a call stand: 1 in an object, 2 in a list of them. */
  #callDepth = 1;
  #calls = 0;
  #lastKey = "";
  #named = false;
  #hasArguments = false;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  *read(): Reading<UnmarkedOutcome> {
    const { source } = this.#scanner;
    const absorb = (chunk: string) => this.#machine.absorb(chunk);
    for (;;) {
      const verdict = this.#readWindow();
      if (verdict === "done") return "calls";
      if (verdict === "data") {
        this.#scanner.plain(this.#scanner.unsettled());
        this.#scanner.settle();
        if (this.#machine.done) return "data";
        return (yield* passValue(this.#scanner, this.#machine)) ? "data" : "broken_data";
      }
      if (verdict === "error") return this.#giveUp();
      if (source.ended) return this.#endOfInput();
      source.absorber = absorb;
      yield;
    }
  }

  #readWindow(): "done" | "data" | "error" | "more" {
    const { source } = this.#scanner;
    const machine = this.#machine;
    for (; !source.exhausted; source.pos++) {
      const code = source.text.charCodeAt(source.pos);
      const move = machine.feed(code);
      if (move === "error") return "error";
      if (move === "on") continue;
      if (move === "opened" && !this.#open(code)) return this.#data();
      if (move === "closed" && machine.depth === this.#callDepth - 1 && code === closeBrace) {
        source.pos++;
        if (!this.#finishElement() && this.#calls === 0) return "data";
        source.pos--;
      }
      if (machine.done) {
        source.pos++;
        return this.#calls > 0 ? "done" : "data";
      }
      if (!this.#couldBeCall(move)) return this.#data();
    }
    return "more";
  }

  /** What was just read is valid, but no call. */
  #data(): "data" | "error" {
    this.#scanner.source.pos++;
    return this.#calls === 0 ? "data" : "error";
  }

  #open(code: number): boolean {
    const { depth } = this.#machine;
    if (depth === 1 && code === openBracket) this.#callDepth = 2;
    if (depth !== this.#callDepth) return true;
    this.#lastKey = "";
    this.#named = false;
    this.#hasArguments = false;
    return code === openBrace;
  }

  #couldBeCall(move: string): boolean {
    const { tools } = this.#scanner;
    if (this.#machine.depth !== this.#callDepth)
      return this.#machine.depth > 1 || this.#callDepth === 1 || move !== "string";
    if (move === "key") {
      this.#lastKey = this.#machine.text;
      if (isArgumentKey.has(this.#lastKey)) this.#hasArguments = true;
      return callKeys.has(this.#lastKey) || tools.declares(this.#lastKey);
    }
    if (move !== "string" || !isNameKey.has(this.#lastKey)) return true;
    const name = this.#machine.text;
    this.#named = name !== "" && (!tools.known || tools.declares(name));
    return this.#named || name.includes("\\");
  }

  #finishElement(): boolean {
    const { tools } = this.#scanner;
    const text = this.#scanner.unsettled();
    const value = readJson(text.slice(text.indexOf("{")));
    const result = readObjectCall(value ?? null, { argumentsMayBeMissing: false, tools });
    if (!("call" in result) || (tools.known && !tools.declares(result.call.name))) {
      if (this.#calls > 0) {
        this.#scanner.plain(this.#scanner.unsettled());
        this.#scanner.settle();
      }
      return false;
    }
    this.#calls++;
    return this.#scanner.call(result.call.name, result.call.arguments, result.call.id);
  }

  #giveUp(): UnmarkedOutcome {
    const { source } = this.#scanner;
    this.#scanner.unmarkedFloor = source.offset;
    if (this.#calls === 0) return "not_json";
    this.#scanner.putBack();
    return "calls";
  }

  #endOfInput(): UnmarkedOutcome {
    const inElement = this.#machine.depth >= this.#callDepth;
    if (!inElement && this.#calls > 0) return "calls";
    if (this.#named && this.#hasArguments) {
      this.#scanner.incomplete();
      return "calls";
    }
    return this.#giveUp();
  }
}
