import { endOfInput, lessThan, openBrace } from "../char-code.ts";
import { type CallMarker, defineFormat, type Format } from "../format.ts";
import { jsonBody } from "../json-body.ts";
import { lookingAt, skipSpace } from "../reader.ts";
import { tagSectionBody } from "../tag-body.ts";
import { deepseekCalls, deepseekDropped, deepseekV3, deepseekV31 } from "./deepseek.ts";
import { bareLists, bareObjects, jsonFences, toolCallFence, wrapperTags } from "./fences.ts";
import { functionary32 } from "./functionary.ts";
import { functionGemma, functionGemmaCalls, gemma4, gemma4Calls } from "./gemma.ts";
import { harmony } from "./harmony.ts";
import { inkling, inklingCalls } from "./inkling.ts";
import { argsExtraction, genericJson } from "./json-documents.ts";
import {
  anyToolCallsTag,
  apertusThinking,
  cohereDropped,
  cohereThinking,
  graniteThinking,
  jsonFormats,
  jsonTags,
} from "./json-formats.ts";
import { kimiK2, kimiK2Calls } from "./kimi-k2.ts";
import { minimaxM3, minimaxM3Calls } from "./minimax-m3.ts";
import { mistral, mistralCalls } from "./mistral.ts";
import { museGlimmer } from "./muse-glimmer.ts";
import { barePython, lfmTag, llamaTag, olmoBody, pythonicFormats, pythonTag } from "./pythonic-formats.ts";
import {
  dsmlCalls,
  invokeXmlGrammar,
  kimiK3Calls,
  minimaxM2Calls,
  seedCalls,
  stepCalls,
  tagFormats,
} from "./tag-formats.ts";
import { anyThinkTags, hunyuanThinking, interleavedThinkTags, thinkTags } from "./thinking-styles.ts";
import { anyToolCallTag, functionTags, hermesTag, lagunaTags } from "./tool-call-tag.ts";

/** `<function_calls>` comes before tags and before Python. */
const functionCallsTag: CallMarker = {
  text: "<function_calls>",
  body: function* (scanner, marker) {
    const code = yield* skipSpace(scanner.source);
    return yield* (code === lessThan ? invokeSection : olmoBody)(scanner, marker);
  },
};
const invokeSection = tagSectionBody(invokeXmlGrammar);

const dotsTags = tagSectionBody({
  ...invokeXmlGrammar,
  section: { open: ["<dots_function_call>"], close: ["</dots_function_call>"] },
  untyped: "string",
});
const dotsJson = jsonBody({ ends: ["</dots_function_call>"] });
const dotsTag: CallMarker = {
  text: "<dots_function_call>",
  body: function* (scanner, marker) {
    const code = yield* skipSpace(scanner.source);
    if (code === openBrace || code === endOfInput) return yield* dotsJson(scanner, marker);
    if (yield* lookingAt(scanner.source, "<")) return yield* dotsTags(scanner, marker);
    scanner.settle();
    return true;
  },
};

const unmarked = [...bareObjects, ...bareLists, ...jsonFences];

const detectedCalls: readonly CallMarker[] = [
  toolCallFence,
  anyToolCallTag,
  anyToolCallsTag,
  functionCallsTag,
  dotsTag,
  ...functionTags,
  ...seedCalls,
  ...minimaxM2Calls,
  ...minimaxM3Calls,
  ...dsmlCalls,
  ...stepCalls,
  ...kimiK3Calls,
  ...mistralCalls,
  llamaTag,
  pythonTag,
  lfmTag,
  ...deepseekCalls,
  ...kimiK2Calls,
  ...gemma4Calls,
  ...functionGemmaCalls,
  ...inklingCalls,
  ...harmony.calls,
  ...jsonTags,
  ...wrapperTags,
  ...unmarked,
  ...barePython,
];

/** For models whose format is not known: every format that is told by its own markers. */
export const detection: Format = defineFormat({
  name: "detection",
  calls: detectedCalls,
  thinking: anyThinkTags,
  sections: ["<|tool_call_end|>", "<|python_end|>", "<|tool_calls_section_end|>", "<tool_call|>"],
  dropped: ["<|im_end|>", "<|eot_id|>", ...deepseekDropped, ...cohereDropped],
});

const think: Format = { ...detection, name: "think", thinking: { ...thinkTags, calls: "ends" } };
const hermes = defineFormat({
  name: "hermes",
  calls: [hermesTag, ...functionTags, ...wrapperTags, ...unmarked, toolCallFence],
  thinking: thinkTags,
  dropped: ["<|im_end|>"],
  unmarkedWithoutTools: true,
});
const inlineJson = defineFormat({
  name: "inline-json",
  calls: [toolCallFence, ...unmarked],
  thinking: thinkTags,
  unmarkedWithoutTools: true,
});

const catalogue: readonly Format[] = [
  ...tagFormats,
  ...jsonFormats,
  ...pythonicFormats,
  think,
  hermes,
  { ...hermes, name: "ernie45" },
  inlineJson,
  { ...inlineJson, name: "fenced-tool-call" },
  defineFormat({
    name: "llama3-json",
    calls: [llamaTag, ...bareObjects],
    dropped: ["<|eot_id|>", "<|eom_id|>"],
    thinking: thinkTags,
    unmarkedWithoutTools: true,
  }),
  defineFormat({
    name: "xlam",
    calls: [hermesTag, ...mistralCalls, ...unmarked],
    thinking: thinkTags,
    unmarkedWithoutTools: true,
  }),
  defineFormat({
    name: "laguna",
    calls: [...lagunaTags, ...bareObjects],
    thinking: thinkTags,
    undeclared: "text",
  }),
  defineFormat({
    name: "dots",
    calls: [dotsTag],
    sections: ["</dots_function_call>"],
    thinking: thinkTags,
    undeclared: "text",
  }),
  harmony,
  gemma4,
  functionGemma,
  deepseekV3,
  deepseekV31,
  kimiK2,
  mistral,
  { ...mistral, name: "mistral-args" },
  { ...mistral, name: "mistral-array" },
  inkling,
  museGlimmer,
  minimaxM3,
  functionary32,
  defineFormat({ name: "functionary-v31", calls: functionTags, thinking: thinkTags }),
  genericJson,
  argsExtraction,
  defineFormat({ name: "plain", calls: [] }),
  { ...think, name: "think-custom" },
  { ...gemma4, name: "think-gemma4" },
  { ...mistral, name: "think-mistral" },
  { ...kimiK2, name: "think-kimi-k2" },
  defineFormat({ name: "think-apertus", calls: [], thinking: apertusThinking }),
  defineFormat({ name: "think-cohere", calls: [], thinking: cohereThinking, dropped: cohereDropped }),
  defineFormat({ name: "think-granite", calls: [], thinking: graniteThinking }),
  defineFormat({ name: "think-hunyuan", calls: [], thinking: hunyuanThinking }),
  defineFormat({
    name: "think-kimi",
    calls: [],
    thinking: { ...interleavedThinkTags, open: ["◁think▷"], close: ["◁/think▷"] },
  }),
];

const byName: ReadonlyMap<string, Format> = new Map(catalogue.map((format) => [format.name, format]));

export const formatNames: readonly string[] = catalogue.map((format) => format.name);

/** The format of that name; every format at once where there is none. */
export function formatNamed(name: string | undefined): Format {
  return (name === undefined ? undefined : byName.get(name)) ?? detection;
}
