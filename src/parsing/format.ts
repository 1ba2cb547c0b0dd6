import type { Reading } from "./reader.ts";
import type { Scanner } from "./scanner.ts";

/**
 * Reads what follows a marker and reports calls to the scanner. False means that this is no call: everything since
 * the marker, or since the last call reported, is then text and is searched again.
 */
export type Body = (scanner: Scanner, marker: string) => Reading<boolean>;

export type CallMarker = {
  readonly text: string;
  readonly body: Body;
  /** Too ordinary a sign to be looked for inside thinking: a brace, a fence. */
  readonly unmarked?: true;
  /** Part of the format's own order of messages: looked for in thinking too, and whether or not calls are. */
  readonly structural?: true;
};

export type ThinkingStyle = {
  readonly open: readonly string[];
  readonly close: readonly string[];
  /** What may stand at the beginning of thinking and is not part of it. */
  readonly labels?: readonly string[];
  /** Tags that models which think put around the answer. */
  readonly answer?: readonly string[];
  /** Whether thinking may begin again after an answer has begun. Otherwise a later opener is text. */
  readonly reopens?: true;
  /**
   * A call inside thinking that was not closed: `ends` the thinking; stands `inside`, and thinking goes on; or is
   * `quoted`, thinking text, when the thinking is closed later, and a call when it never is.
   */
  readonly calls: "ends" | "inside" | "quoted";
  /** An opener at the beginning of thinking already begun. */
  readonly repeatedOpener: "dropped" | "text";
  /** A closer after thinking was closed. Without any thinking before it, a closer is text. */
  readonly secondCloser: "dropped" | "text";
};

export type Format = {
  readonly name: string;
  readonly calls: readonly CallMarker[];
  /** Special tokens around text that are not part of it. */
  readonly dropped?: readonly string[];
  /** Special tokens around calls. They are left in place when calls are not looked for. */
  readonly sections?: readonly string[];
  readonly thinking?: ThinkingStyle;
  /** Reads what can only stand at the very beginning of the input. */
  readonly start?: Body;
  /** What becomes of a marked call to a tool that is not among those given. */
  readonly undeclared: "call" | "text";
  /** What becomes of a marked call that cannot be read, besides being reported. */
  readonly malformed: "text" | "dropped";
  /** Whether unmarked JSON may be a call where no tools are given to tell by. */
  readonly unmarkedWithoutTools?: true;
};

/** Fills in what most formats have in common. */
export function defineFormat(format: Partial<Format> & Pick<Format, "name" | "calls">): Format {
  return { undeclared: "call", malformed: "text", ...format };
}
