import { flowUntil } from "../flow.ts";
import { type Body, defineFormat } from "../format.ts";
import { markerSet } from "../marker-set.ts";
import { acceptAfterSpace, markerHere, type Reading, readUntil, skipSpace } from "../reader.ts";
import type { Scanner } from "../scanner.ts";
import { tagSectionBody } from "../tag-body.ts";

const headerLimit = 256;
const message = markerSet(["<|message|>", "<|start|>", "<|eom|>", "<|eot|>", "\n"]);
const messageEnds = markerSet(["<|eom|>", "<|eot|>"]);
const anyEnds = markerSet(["<|eom|>", "<|eot|>", "<|start|>assistant"]);
const section = markerSet(["<atem:function_calls>"]);

const calls = tagSectionBody({
  section: { open: ["<atem:function_calls>"], close: ["</atem:function_calls>"] },
  call: { open: ['<atem:invoke name="'], nameEnd: [">"], close: ["</atem:invoke>"] },
  parameter: { open: ['<atem:parameter name="'], nameEnd: [">"], close: ["</atem:parameter>"] },
  quotedNames: true,
  untyped: "json",
  toolName: (written) => {
    const name = written.replace(/<\|\w+\|>/g, "");
    const half = name.slice(0, (name.length - 1) / 2);
    return name === `${half}.${half}` ? half : name;
  },
});

/** Only a message addressed to a tool holds calls: the same markup shown to the user, or thought about, is text. */
function* readMessage(scanner: Scanner): Reading<boolean> {
  const { source } = scanner;
  const read = yield* readUntil(source, message, headerLimit);
  const recipient = /^\s*to=([^\s<]+)\s*$/.exec(read.text)?.[1];
  if (read.marker !== "<|message|>" || recipient === undefined) return false;
  source.pos += read.marker.length;
  scanner.settle();
  if (recipient === "user" || recipient === "self") {
    scanner.isThinking = recipient === "self";
    yield* flowUntil(scanner, recipient === "self" ? anyEnds : messageEnds);
    scanner.isThinking = false;
  } else {
    const before = source.offset;
    yield* skipSpace(source);
    const marker = yield* markerHere(source, section);
    if (marker) source.pos += marker.length;
    if (!marker || !scanner.readsCalls || !(yield* calls(scanner, marker))) {
      source.rewind(before);
      yield* flowUntil(scanner, messageEnds);
    }
  }
  yield* acceptAfterSpace(source, messageEnds);
  scanner.settle();
  return true;
}

const header: Body = (scanner) => readMessage(scanner);

export const museGlimmer = defineFormat({
  name: "muse-glimmer",
  calls: [{ text: "<|start|>assistant", body: header, structural: true }],
  start: header,
  dropped: ["<|eom|>", "<|eot|>"],
  thinking: { open: [], close: [], calls: "ends", repeatedOpener: "text", secondCloser: "text" },
  undeclared: "text",
});
