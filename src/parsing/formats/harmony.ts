import { flowUntil } from "../flow.ts";
import { type Body, defineFormat } from "../format.ts";
import { markerSet } from "../marker-set.ts";
import { readNamedJson } from "../named-json.ts";
import { acceptAfterSpace, markerHere, type Reading, readUntil, skipSpace } from "../reader.ts";
import type { Scanner } from "../scanner.ts";

const headerLimit = 256;
const endTexts = ["<|end|>", "<|call|>", "<|return|>"] as const;
const ends = markerSet(endTexts);
const messageOrEnd = markerSet(["<|message|>", "<|start|>"], endTexts);
const nextHeader = markerSet(["<|start|>", "<|channel|>"]);
const bodyEnds = markerSet(endTexts, ["<|start|>", "<|channel|>"]);

/** Role, recipient, channel and type, in any order; the words themselves models sometimes get wrong. */
const headerWords = /^(?:<\|(?:channel|constrain)\|>|[\w\s.:?=-])*$/;

/**
 * gpt-oss writes messages, each with a header that says to whom (`to=functions.f`) and on which channel. This reads a
 * header and what of its message is a call; thinking and text are left to flow.
 */
const header: Body = function* (scanner, marker) {
  const { source } = scanner;
  const read = yield* readUntil(source, messageOrEnd, headerLimit);
  const text = marker + read.text;
  if (read.tooLong || !headerWords.test(read.text)) return false;
  const recipient = /^(?!assistant\b|user\b)\S+/.exec(lastAfter(text, "to=").split("<|")[0] ?? "")?.[0];
  if (read.marker === undefined) {
    if (recipient) scanner.incomplete(toolName(recipient));
    return recipient !== undefined || isHeaderBegun(read.text);
  }
  if (read.marker !== "<|message|>") {
    if (read.marker !== "<|start|>") source.pos += read.marker.length;
    return true;
  }
  source.pos += read.marker.length;
  if (recipient) {
    yield* readCall(scanner, toolName(recipient));
    return true;
  }
  const channel = /^[a-z]*/.exec(lastAfter(text, "<|channel|>"))?.[0];
  scanner.isThinking = channel === "analysis";
  if (scanner.isThinking && scanner.keepsThinkingInline) {
    scanner.plain(`<|channel|>${lastAfter(text, "<|channel|>")}<|message|>`);
  }
  return true;
};

/** A call, or a message to a tool of the model's own that is no function. */
function* readCall(scanner: Scanner, name: string): Reading<void> {
  const { source } = scanner;
  yield* skipSpace(source);
  if ((yield* markerHere(source, ends)) !== undefined) scanner.call(name, {});
  else if (!(yield* readNamedJson(scanner, { name, ends: bodyEnds }))) {
    yield* readUntil(source, bodyEnds);
    scanner.malformed("not_readable", name);
  }
  scanner.isThinking = false;
  if ((yield* acceptAfterSpace(source, ends)) !== undefined) yield* skipRole(scanner);
}

/** The end of a message, and what of the next header stands before its first mark. */
const end: Body = function* (scanner, marker) {
  if (scanner.isThinking && scanner.keepsThinkingInline) scanner.plain(marker);
  scanner.isThinking = false;
  scanner.settle();
  yield* skipRole(scanner);
  return true;
};

function* skipRole(scanner: Scanner): Reading<void> {
  const before = scanner.source.offset;
  const read = yield* readUntil(scanner.source, nextHeader, headerLimit);
  if (read.marker === undefined || !/^[a-z\s]*(to=\S*\s*)?$/.test(read.text)) scanner.source.rewind(before);
}

/** The prompt may have begun the first header; and some servers drop the marks, which leaves the words. */
const start: Body = function* (scanner) {
  const { source } = scanner;
  yield* skipSpace(source);
  const first = yield* markerHere(source, beginnings);
  if (first === undefined) return false;
  source.pos += first.length;
  if (first === "to=") return yield* header(scanner, first);
  const space = source.offset;
  yield* skipSpace(source);
  if (source.offset === space || (yield* markerHere(source, nextHeader)) !== undefined) return false;
  scanner.isThinking = true;
  scanner.settle();
  const end = yield* flowUntil(scanner, bareFinal);
  if (end !== undefined) source.pos += end.length;
  scanner.isThinking = end === undefined;
  return true;
};

const beginnings = markerSet(["to=", "analysis"]);
const bareFinal = markerSet(["assistantfinal"]);

/** Whether this may be a header that the end of the input cut: a role or a channel, not a sentence. */
function isHeaderBegun(text: string): boolean {
  return lastAfter(`<|channel|>${text}`, "<|channel|>").trim().split(/\s+/).length <= 1;
}

function lastAfter(text: string, mark: string): string {
  const at = text.lastIndexOf(mark);
  return at < 0 ? "" : text.slice(at + mark.length);
}

function toolName(recipient: string): string {
  return recipient.replace(/^functions\./, "");
}

export const harmony = defineFormat({
  name: "harmony",
  calls: [
    { text: "<|start|>assistant", body: header, structural: true },
    { text: "<|channel|>", body: header, structural: true },
    { text: "<|start|>", body: header, structural: true },
    ...endTexts.map((text) => ({ text, body: end, structural: true }) as const),
  ],
  start,
  malformed: "dropped",
  thinking: { open: [], close: [], calls: "ends", repeatedOpener: "text", secondCloser: "text" },
});
