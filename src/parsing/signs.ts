import type { CallMarker, Format, ThinkingStyle } from "./format.ts";
import { MarkerSet } from "./marker-set.ts";

export type CallSign = { readonly does: "call"; readonly marker: CallMarker; readonly text: string };

type SimpleSign = "drop" | "open" | "close" | "label" | "answer";

/** What a marker found in the text asks for. */
export type Sign = CallSign | { readonly does: SimpleSign; readonly text: string };

/** The signs looked for in each mode of the scan. */
export type Signs = {
  readonly text: MarkerSet<Sign>;
  readonly thinking: MarkerSet<Sign>;
  readonly held: MarkerSet<Sign>;
};

export type SignOptions = { readonly calls: boolean; readonly tools: boolean };

const compiled = new WeakMap<Format, Map<string, Signs>>();

/** Compiled once for a format: building the tables costs more than reading many a response. */
export function signsOf(format: Format, options: SignOptions): Signs {
  const known = compiled.get(format) ?? new Map<string, Signs>();
  compiled.set(format, known);
  const key = `${options.calls} ${options.tools}`;
  const found = known.get(key) ?? compile(format, options);
  known.set(key, found);
  return found;
}

function compile(format: Format, options: SignOptions): Signs {
  const thinking: ThinkingStyle | undefined = format.thinking;
  const simple = (does: SimpleSign, texts: readonly string[] = []) =>
    texts.map((text): [string, Sign] => [text, { does, text }]);
  const judgesUnmarked = options.tools || format.unmarkedWithoutTools === true;
  const calls = format.calls.filter((marker) => !marker.unmarked || judgesUnmarked);
  const callSigns = (markers: readonly CallMarker[]) =>
    markers.map((marker): [string, Sign] => [marker.text, { does: "call", marker, text: marker.text }]);
  const withinThinking = new MarkerSet([
    ...simple("close", thinking?.close),
    ...simple("label", thinking?.labels),
    ...simple("open", thinking?.open),
    ...callSigns(calls.filter((marker) => !marker.unmarked)),
  ]);
  return {
    text: new MarkerSet([
      ...simple("drop", format.dropped),
      ...simple("answer", thinking?.answer),
      ...simple("open", thinking?.open),
      ...simple("close", thinking?.close),
      ...(options.calls ? simple("drop", format.sections) : []),
      ...callSigns(calls.filter((marker) => options.calls || marker.structural)),
    ]),
    thinking: withinThinking,
    held: withinThinking,
  };
}
