import { openBrace, openBracket } from "../char-code.ts";
import { type Body, type CallMarker, defineFormat, type Format } from "../format.ts";
import { jsonBody } from "../json-body.ts";
import { pythonicBody } from "../pythonic-body.ts";
import { accept, peek, skipSpace } from "../reader.ts";
import { bareLists } from "./fences.ts";
import { thinkTags } from "./thinking-styles.ts";

/** Lists of calls as Python or as JSON: the same markers come before both. */
function listBody(open: string, close: string): Body {
  const python = pythonicBody({ ends: [close] });
  const json = jsonBody({ ends: [close] });
  return function* (scanner, marker) {
    const { source } = scanner;
    for (let repeats = 0; repeats < 4 && (yield* accept(source, open)); repeats++);
    const before = source.offset;
    let code = yield* skipSpace(source);
    if (code === openBracket) {
      source.pos++;
      code = yield* skipSpace(source);
    }
    source.rewind(before);
    return yield* (code === openBrace ? json : python)(scanner, marker);
  };
}

const unmarkedPython = pythonicBody({ unmarked: true });

/** `[f(a=1)]` with nothing around it. A bracket before anything else, such as a link's, is text. */
const bareCalls: Body = function* (scanner, marker) {
  const { source } = scanner;
  source.pos -= marker.length;
  return yield* unmarkedPython(scanner, marker);
};

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
export const barePython: readonly CallMarker[] = [...letters].map((letter) => ({
  text: `[${letter}`,
  body: bareCalls,
  unmarked: true,
}));

export const lfmTag: CallMarker = {
  text: "<|tool_call_start|>",
  body: listBody("<|tool_call_start|>", "<|tool_call_end|>"),
};
export const pythonTag: CallMarker = {
  text: "<|python_start|>",
  body: listBody("<|python_start|>", "<|python_end|>"),
};
export const olmoBody = pythonicBody({ ends: ["</function_calls>"] });

const llamaJson = jsonBody({ ends: ["<|eom_id|>", "<|eot_id|>"] });
const llamaBuiltin = pythonicBody({
  ends: ["<|eom_id|>", "<|eot_id|>"],
  toolName: (written) => written.replace(/\.call$/, ""),
});
/** Llama's `<|python_tag|>`: JSON, or `tool.call(query="…")`. */
export const llamaTag: CallMarker = {
  text: "<|python_tag|>",
  body: function* (scanner, marker) {
    yield* skipSpace(scanner.source);
    const code = yield* peek(scanner.source);
    return yield* (code === openBrace || code === openBracket ? llamaJson : llamaBuiltin)(scanner, marker);
  },
};

const unmarked: Partial<Format> = { unmarkedWithoutTools: true };

export const pythonicFormats: readonly Format[] = [
  defineFormat({
    name: "lfm2",
    calls: [lfmTag, ...bareLists, ...barePython],
    thinking: thinkTags,
    dropped: ["<|im_end|>"],
    sections: ["<|tool_call_end|>"],
    ...unmarked,
  }),
  ...["llama4-pythonic", "pythonic"].map((name) =>
    defineFormat({
      name,
      calls: [pythonTag, ...barePython],
      sections: ["<|python_end|>"],
      thinking: thinkTags,
      ...unmarked,
    }),
  ),
  defineFormat({
    name: "olmo3",
    calls: [{ text: "<function_calls>", body: olmoBody }],
    thinking: thinkTags,
  }),
];
