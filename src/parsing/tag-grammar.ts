import { type MarkerSet, markerSet } from "./marker-set.ts";
import type { Scanner } from "./scanner.ts";

/** How a call with one tag a parameter is written. `open` and `parameter` end where the name begins. */
export type TagGrammar = {
  /** Around one or more calls. */
  readonly section?: { readonly open: readonly string[]; readonly close: readonly string[] };
  readonly call: {
    readonly open: readonly string[];
    readonly nameEnd: readonly string[];
    readonly close: readonly string[];
  };
  readonly parameter: {
    readonly open: readonly string[];
    readonly nameEnd: readonly string[];
    /** Between a name and its value; often forgotten. */
    readonly valueOpen?: string;
    readonly close: readonly string[];
  };
  /** Names stand in quotes, and attributes may follow them. */
  readonly quotedNames?: true;
  /** What follows an opening tag whose own end was forgotten. */
  readonly afterForgottenEnd?: readonly string[];
  /** Names stand bare between tags, so that only what looks like a name is one. */
  readonly bareNames?: true;
  /** Names are escaped as in XML. */
  readonly entities?: true;
  /** One line break at each side of a value is not part of it. */
  readonly trimsLine?: true;
  /** What a value is where neither a schema nor an attribute tells. */
  readonly untyped: "string" | "json";
  /** An attribute that gives the type: what it must be for the text to be a string. */
  readonly stringAttribute?: { readonly pattern: RegExp; readonly yes: string };
  readonly cdata?: true;
  /** Parameters that the tool does not declare, or that are given twice, spoil the call. */
  readonly strictParameters?: true;
  /** Under this name some models put the whole arguments object. */
  readonly wrapper?: string;
  /** Turns a name as written into the tool's. */
  readonly toolName?: (written: string, scanner: Scanner) => string;
};

/** A grammar with its markers compiled. */
export type TagReader = {
  readonly grammar: TagGrammar;
  readonly calls: MarkerSet<string>;
  readonly sectionEnds: MarkerSet<string>;
  readonly nameEnds: MarkerSet<string>;
  readonly bareNameEnds: MarkerSet<string>;
  readonly parameterNameEnds: MarkerSet<string>;
  readonly callOrEnd: MarkerSet<string>;
  readonly valueMarkers: MarkerSet<string>;
};

export function compileTags(grammar: TagGrammar): TagReader {
  const { call, parameter } = grammar;
  const section = grammar.section ?? { open: [], close: [] };
  const forgotten = grammar.afterForgottenEnd ?? [];
  const bounds = [...parameter.open, ...call.close, ...section.close, ...call.open, ...section.open];
  return {
    grammar,
    calls: markerSet(call.open),
    sectionEnds: markerSet(section.close),
    nameEnds: markerSet(
      call.nameEnd,
      grammar.quotedNames ? forgotten : ["\n", ...call.close, ...parameter.open],
    ),
    bareNameEnds: markerSet(call.nameEnd, parameter.nameEnd),
    parameterNameEnds: markerSet(parameter.nameEnd, grammar.quotedNames ? forgotten : ["\n"]),
    callOrEnd: markerSet(bounds),
    valueMarkers: markerSet(parameter.close, bounds),
  };
}
