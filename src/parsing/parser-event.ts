import type { JsonObject } from "../model/json.ts";

export type ParsedCall = { readonly name: string; readonly arguments: JsonObject; readonly id?: string };

/**
 * What a parser reports, in the order of the text: the model events of the same names, once an id is given to each
 * index. `index` numbers the calls that were begun: `call_started`, where
 * the format names the tool before its arguments, is followed by exactly one of `call`, `malformed_call` and
 * `incomplete_call` with the same index; the other three may also come without it.
 */
export type ParserEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "call_started"; readonly index: number; readonly name: string }
  | { readonly type: "call"; readonly index: number; readonly call: ParsedCall }
  /** Marked as a call, but none can be read from it. What was written is in `text` and, unless the format drops it, among the text too. */
  | {
      readonly type: "malformed_call";
      readonly index: number;
      readonly name?: string;
      readonly text: string;
      readonly reason: MalformedReason;
    }
  /** The input ended inside a call. It is never guessed whole, and its text is nowhere else. */
  | {
      readonly type: "incomplete_call";
      readonly index: number;
      readonly name?: string;
      readonly text: string;
    };

export type MalformedReason =
  | "not_readable"
  | "no_name"
  | "no_arguments"
  | "undeclared_tool"
  | "bad_parameters";

export type IncompleteCall = { readonly name?: string; readonly text: string };

export type ParsedText = {
  readonly content: string;
  readonly thinking: string;
  readonly calls: readonly ParsedCall[];
  /** The call that the end of the input cut, if any. */
  readonly incomplete: IncompleteCall | undefined;
};
