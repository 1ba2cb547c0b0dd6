import { flowUntil } from "../flow.ts";
import { type Body, type CallMarker, defineFormat } from "../format.ts";
import { jsonBody } from "../json-body.ts";
import { markerSet } from "../marker-set.ts";
import { accept, lookingAt, type Reading, readUntil } from "../reader.ts";
import type { Scanner } from "../scanner.ts";

const content = "<|content_";
const invoke = "<|content_invoke_tool_json|>";
const contentMark = markerSet([content, "<|message_model|>", "<|end_message|>"]);

/** A header's own name for the tool is dropped: the one in the call is what counts. */
function* readHeader(scanner: Scanner): Reading<boolean> {
  const read = yield* readUntil(scanner.source, contentMark, 64);
  return read.marker === content && /^[\w.-]*$/.test(read.text);
}

/** A call's header stays with it where calls are left in the text. */
const header: Body = function* (scanner) {
  if (!(yield* readHeader(scanner))) return false;
  return scanner.readsCalls || !(yield* lookingAt(scanner.source, invoke));
};

const start: Body = function* (scanner) {
  return (yield* readHeader(scanner)) && (yield* lookingAt(scanner.source, invoke));
};

const ends = ["<|end_message|>", "<|content_model_end_sampling|>"];
const messageEnd = markerSet(ends);
const json = jsonBody({ ends, accepts: "object" });

const call: Body = function* (scanner, marker) {
  if (scanner.readsCalls) {
    if (!(yield* json(scanner, marker))) return false;
    scanner.isThinking = false;
    return true;
  }
  scanner.isThinking = false;
  scanner.plain(marker);
  const end = yield* flowUntil(scanner, messageEnd);
  if (yield* accept(scanner.source, end ?? "")) scanner.plain(end ?? "");
  return true;
};

export const inklingCalls: readonly CallMarker[] = [{ text: invoke, body: call, structural: true }];

export const inkling = defineFormat({
  name: "inkling",
  calls: [...inklingCalls, { text: "<|message_model|>", body: header, structural: true }],
  start,
  dropped: [
    "<|end_message|>",
    "<|content_text|>",
    "<|content_tool_error|>",
    "<|content_invoke_tool_text|>",
    "<|content_model_end_sampling|>",
  ],
  thinking: {
    open: ["<|content_thinking|>"],
    close: ["<|end_message|>"],
    reopens: true,
    calls: "ends",
    repeatedOpener: "dropped",
    secondCloser: "dropped",
  },
});
