import type { JsonObject } from "../model/json.ts";
import { EventLog, noEvents } from "./event-log.ts";
import type { Format } from "./format.ts";
import { undecided } from "./marker-set.ts";
import type { MalformedReason, ParsedCall, ParserEvent } from "./parser-event.ts";
import type { Reading } from "./reader.ts";
import { type CallSign, type Sign, type Signs, signsOf } from "./signs.ts";
import { Source } from "./source.ts";
import type { ToolSet } from "./tool-set.ts";

export type ScanOptions = {
  readonly format: Format;
  readonly tools: ToolSet;
  readonly start: "content" | "thinking";
  readonly thinking: "separate" | "inline";
  readonly calls: boolean;
};

/** `held`: after a call inside thinking, which may turn out to be quoted. */
type Mode = "text" | "thinking" | "held";

/** How things stood before a call inside thinking, should it turn out to be quoted. */
type Before = {
  readonly offset: number;
  readonly index: number;
  readonly calls: number;
  readonly hasContent: boolean;
};

const notSpace = /[^ \t\r\n]/;

/**
 * The one way through the text, whatever the format: text flows out until a marker may begin; what follows a call
 * marker is handed to the marker's own reader, and put back as text when that finds no call.
 */
export class Scanner {
  readonly source = new Source();
  readonly tools: ToolSet;
  readonly format: Format;
  readonly readsCalls: boolean;
  readonly #inline: boolean;
  readonly #signs: Signs;
  readonly #run: Reading<void>;
  #mode: Mode;
  readonly #log = new EventLog();
  #index = 0;
  #calls = 0;
  #open: { readonly index: number; readonly name: string } | undefined;
  #bodyFrom = 0;
  #held: Before | undefined;
  #hasContent = false;
  #hasThought = false;
  #thinkingBegins: boolean;
  /** Nothing is held and no reader is at work: text without triggers can pass straight through. */
  #idle = false;
  /** Nothing unmarked begins before this offset: it was tried up to here and is no call. */
  #unmarkedFloor = 0;

  constructor(options: ScanOptions) {
    this.format = options.format;
    this.tools = options.tools;
    this.readsCalls = options.calls;
    this.#inline = options.thinking === "inline";
    this.#mode = options.start === "thinking" && options.format.thinking ? "thinking" : "text";
    this.#thinkingBegins = this.#mode === "thinking";
    this.#hasThought = this.#thinkingBegins;
    this.#signs = signsOf(options.format, { calls: options.calls, tools: options.tools.known });
    this.#run = this.#scan();
  }

  push(chunk: string): readonly ParserEvent[] {
    if (this.#idle && this.#signs[this.#mode].nextTrigger(chunk, 0) === chunk.length) {
      return chunk === "" ? noEvents : [{ type: this.#plainType, text: chunk }];
    }
    if (this.source.absorb(chunk)) return noEvents;
    this.source.append(chunk);
    this.#run.next();
    return this.#log.drain();
  }

  end(): readonly ParserEvent[] {
    this.source.ended = true;
    this.#run.next();
    return this.#log.drain();
  }

  // What readers of calls use.

  get unmarkedFloor(): number {
    return this.#unmarkedFloor;
  }

  set unmarkedFloor(offset: number) {
    this.#unmarkedFloor = Math.max(this.#unmarkedFloor, offset);
  }

  /** How many calls were reported. */
  get calls(): number {
    return this.#calls;
  }

  /** Text of the answer, or of the thinking that is going on. */
  plain(text: string): void {
    if (text === "") return;
    this.#log.plain(this.#plainType, text);
    if (!this.#hasContent && this.#mode === "text" && notSpace.test(text)) this.#hasContent = true;
  }

  get isThinking(): boolean {
    return this.#mode === "thinking";
  }

  /** For formats whose messages say by their headers what they are. */
  set isThinking(thinking: boolean) {
    this.#believeHeld();
    this.source.keep(this.#bodyFrom);
    this.#mode = thinking ? "thinking" : "text";
    this.#hasThought ||= thinking;
    this.#thinkingBegins = thinking;
  }

  get keepsThinkingInline(): boolean {
    return this.#inline;
  }

  get hasBegun(): boolean {
    return this.#open !== undefined;
  }

  /** The tool's name is known. */
  begin(name: string): void {
    if (name === "" || this.#open) return;
    this.#open = { index: this.#index++, name };
    this.#log.report({ type: "call_started", ...this.#open });
  }

  /** A whole call: reported, unless its tool is undeclared and the format leaves such calls alone. */
  call(name: string, args: JsonObject, id?: string): boolean {
    if (this.tools.known && this.format.undeclared === "text" && !this.tools.declares(name)) {
      this.malformed("undeclared_tool", name);
      return false;
    }
    const call: ParsedCall = id === undefined ? { name, arguments: args } : { name, arguments: args, id };
    this.#calls++;
    this.#log.report({ type: "call", index: this.#closeIndex(), call });
    this.#hasContent = true;
    this.settle();
    return true;
  }

  /** Reports a marked call that cannot be read, from its beginning to here. */
  malformed(reason: MalformedReason, name?: string): void {
    const text = this.source.range(this.#bodyFrom);
    const known = name ?? this.#open?.name;
    const index = this.#closeIndex();
    const event = { type: "malformed_call", index, text, reason } as const;
    this.#log.report(known === undefined ? event : { ...event, name: known });
    if (this.format.malformed === "text") this.plain(text);
    this.settle();
  }

  /** Reports the call that the end of the input cut, from its beginning to here. */
  incomplete(name?: string): void {
    const text = this.source.range(this.#bodyFrom);
    const known = name ?? this.#open?.name;
    const event = { type: "incomplete_call", index: this.#closeIndex(), text } as const;
    this.#log.report(known === undefined ? event : { ...event, name: known });
    this.settle();
  }

  /** What was read up to here is dealt with and will not be put back. */
  settle(): void {
    this.#bodyFrom = this.source.offset;
    if (!this.#held) this.source.keep(this.#bodyFrom);
  }

  /** Goes back to where the last thing dealt with ended. */
  putBack(): void {
    if (this.#open) this.#abandon();
    this.source.rewind(this.#bodyFrom);
  }

  /** Everything read since the last thing dealt with. */
  unsettled(): string {
    return this.source.range(this.#bodyFrom);
  }

  // The scan itself.

  *#scan(): Reading<void> {
    if (this.format.start) {
      this.settle();
      if (!(yield* this.format.start(this, ""))) this.source.rewind(this.#bodyFrom);
      this.source.release();
    }
    for (;;) {
      const sign = this.#search();
      if (sign === undefined) {
        if (this.source.ended) break;
        this.#idle = this.source.exhausted && this.#isSteady();
        yield;
        this.#idle = false;
      } else {
        yield* this.#follow(sign);
      }
    }
    this.#believeHeld();
    this.source.release();
  }

  /** Whether what comes next is judged without regard to what has been so far. */
  #isSteady(): boolean {
    if (this.#mode === "held") return false;
    return this.#mode === "text" ? this.#hasContent : !this.#thinkingBegins;
  }

  /** Lets text out up to the next sign. None found: all that cannot be the beginning of one is out. */
  #search(): Sign | undefined {
    const { source } = this;
    const { text, pos } = source;
    const signs = this.#signs[this.#mode];
    for (let i = signs.nextTrigger(text, pos); i < text.length; i = signs.nextTrigger(text, i + 1)) {
      const found = signs.match(text, i, source.ended);
      if (found === undefined) continue;
      this.#letOut(i);
      return found === undecided ? undefined : found;
    }
    this.#letOut(text.length);
    return undefined;
  }

  #letOut(to: number): void {
    const { source } = this;
    if (to > source.pos) {
      const text = source.text.slice(source.pos, to);
      this.plain(text);
      if (this.#thinkingBegins && notSpace.test(text)) this.#thinkingBegins = false;
    }
    source.pos = to;
  }

  *#follow(sign: Sign): Reading<void> {
    switch (sign.does) {
      case "drop":
        this.source.pos += sign.text.length;
        return;
      case "open":
        this.#openThinking(sign.text);
        return;
      case "close":
        this.#closeThinking(sign.text);
        return;
      case "label":
        this.source.pos += sign.text.length;
        if (!this.#thinkingBegins || this.#inline) this.plain(sign.text);
        this.#thinkingBegins = false;
        return;
      case "answer":
        this.source.pos += sign.text.length;
        if (this.#inline) this.plain(sign.text);
        return;
      case "call":
        if (this.#mode === "thinking" && !sign.marker.structural) yield* this.#callInThinking(sign);
        else yield* this.#attempt(sign);
    }
  }

  #openThinking(marker: string): void {
    const style = this.format.thinking;
    this.source.pos += marker.length;
    if (this.#mode === "thinking") {
      if (this.#thinkingBegins && style?.repeatedOpener === "dropped") return;
      this.plain(marker);
      this.#thinkingBegins = false;
      return;
    }
    if (style?.reopens || !(this.#hasContent || this.#hasThought)) {
      this.#mode = "thinking";
      this.#hasThought = true;
      this.#thinkingBegins = true;
      if (this.#inline) this.plain(marker);
      return;
    }
    this.plain(marker);
  }

  #closeThinking(marker: string): void {
    if (this.#held) this.#forgetHeld(this.#held);
    this.source.pos += marker.length;
    if (this.#mode === "thinking") {
      if (this.#inline) this.plain(marker);
      this.#mode = "text";
      this.#thinkingBegins = false;
      return;
    }
    const dropped = this.#hasThought && this.format.thinking?.secondCloser === "dropped" && !this.#inline;
    if (!dropped) this.plain(marker);
  }

  *#attempt(sign: CallSign): Reading<boolean> {
    const { source } = this;
    this.settle();
    source.pos += sign.text.length;
    const calls = this.#calls;
    if (yield* sign.marker.body(this, sign.text)) {
      this.#letGo();
      return this.#calls > calls;
    }
    this.putBack();
    this.#letGo();
    this.#letOut(source.pos + 1);
    return false;
  }

  *#callInThinking(sign: CallSign): Reading<void> {
    const policy = this.format.thinking?.calls ?? "quoted";
    if (!this.readsCalls) {
      if (policy === "quoted") this.#letOut(this.source.pos + 1);
      else this.#mode = "text";
      return;
    }
    if (policy !== "quoted") {
      if ((yield* this.#attempt(sign)) && policy === "ends") this.#mode = "text";
      return;
    }
    this.#held = {
      offset: this.source.offset,
      index: this.#index,
      calls: this.#calls,
      hasContent: this.#hasContent,
    };
    this.#log.hold();
    this.source.keep(this.#held.offset);
    const found = yield* this.#attempt(sign);
    if (!this.#held) return;
    if (found) {
      this.#mode = "held";
      return;
    }
    this.#believeHeld();
    this.source.release();
  }

  /** The thinking was not closed: what looked like a call was one. */
  #believeHeld(): void {
    if (!this.#held) return;
    this.#held = undefined;
    this.#log.believe();
    if (this.#mode === "held") this.#mode = "text";
  }

  /** The thinking was closed after all: everything since that call is thinking. */
  #forgetHeld(before: Before): void {
    this.#held = undefined;
    this.#log.forget();
    this.#index = before.index;
    this.#calls = before.calls;
    this.#hasContent = before.hasContent;
    this.#mode = "thinking";
    this.plain(this.source.range(before.offset));
    this.source.release();
  }

  #abandon(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    const text = this.source.range(this.#bodyFrom);
    this.#log.report({ type: "malformed_call", ...open, text, reason: "not_readable" });
  }

  #closeIndex(): number {
    const index = this.#open?.index ?? this.#index++;
    this.#open = undefined;
    return index;
  }

  #letGo(): void {
    if (!this.#held) this.source.release();
  }

  get #plainType(): "text" | "thinking" {
    return this.#mode !== "thinking" || this.#inline ? "text" : "thinking";
  }
}
