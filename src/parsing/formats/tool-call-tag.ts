import { endOfInput, lessThan, openBrace, openBracket } from "../char-code.ts";
import type { Body, CallMarker } from "../format.ts";
import { jsonBody } from "../json-body.ts";
import { skipSpace } from "../reader.ts";
import { tagCallBody, tagSectionBody } from "../tag-body.ts";
import type { TagGrammar } from "../tag-grammar.ts";
import { glmGrammar, qwenGrammar } from "./tag-formats.ts";

const json = jsonBody({ ends: ["</tool_call>"] });
const qwenSection = tagSectionBody(qwenGrammar);

/** `<tool_call>` comes before JSON, Qwen's tags and GLM's; what follows tells which. */
function toolCallBody(bareName: Body | undefined): Body {
  return function* (scanner, marker) {
    const code = yield* skipSpace(scanner.source);
    if (code === openBrace || code === openBracket || code === endOfInput)
      return yield* json(scanner, marker);
    if (code === lessThan) return yield* qwenSection(scanner, marker);
    return bareName ? yield* bareName(scanner, marker) : false;
  };
}

export const hermesTag: CallMarker = { text: "<tool_call>", body: toolCallBody(undefined) };
export const anyToolCallTag: CallMarker = {
  text: "<tool_call>",
  body: toolCallBody(tagCallBody(glmGrammar)),
};

/** A call's own tag without `<tool_call>`: parameters as tags, or all arguments as JSON. */
function functionTag(open: string, quotedNames: boolean): CallMarker {
  const grammar: TagGrammar = {
    ...qwenGrammar,
    call: { ...qwenGrammar.call, open: [open] },
    ...(quotedNames ? { quotedNames: true } : {}),
  };
  return { text: open, body: tagCallBody(grammar) };
}

export const functionTags: readonly CallMarker[] = [
  functionTag("<function=", false),
  functionTag('<function name="', true),
];

const lagunaGrammar: TagGrammar = { ...glmGrammar, untyped: "string" };
const userGrammar: TagGrammar = {
  ...lagunaGrammar,
  call: { open: ["<user>"], nameEnd: [], close: ["</user>"] },
};
export const lagunaTags: readonly CallMarker[] = [
  { text: "<tool_call>", body: toolCallBody(tagCallBody(lagunaGrammar)) },
  { text: "<user>", body: tagCallBody(userGrammar), unmarked: true },
];
