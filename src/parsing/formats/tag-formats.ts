import { type CallMarker, defineFormat, type Format, type ThinkingStyle } from "../format.ts";
import { tagCallBody, tagSectionBody } from "../tag-body.ts";
import type { TagGrammar } from "../tag-grammar.ts";
import { hunyuanThinking, interleavedThinkTags, thinkTags } from "./thinking-styles.ts";

/** `<invoke name="f"><parameter name="k">V</parameter></invoke>`, each tag with the format's own prefix. */
function invokeGrammar(
  prefix: string,
  section: TagGrammar["section"],
  more: Partial<TagGrammar> = {},
): TagGrammar {
  return {
    ...(section ? { section } : {}),
    call: { open: [`<${prefix}invoke name="`], nameEnd: [">"], close: [`</${prefix}invoke>`] },
    parameter: { open: [`<${prefix}parameter name="`], nameEnd: [">"], close: [`</${prefix}parameter>`] },
    quotedNames: true,
    untyped: "string",
    ...more,
  };
}

/** `<function=f><parameter=k>V</parameter></function>`. */
function functionGrammar(section: TagGrammar["section"], untyped: TagGrammar["untyped"]): TagGrammar {
  return {
    ...(section ? { section } : {}),
    call: { open: ["<function="], nameEnd: [">"], close: ["</function>"] },
    parameter: { open: ["<parameter="], nameEnd: [">"], close: ["</parameter>"] },
    trimsLine: true,
    untyped,
  };
}

/** `f<arg_key>k</arg_key><arg_value>V</arg_value>` between tags. */
function argKeyGrammar(open: string, close: string, more: Partial<TagGrammar> = {}): TagGrammar {
  return {
    call: { open: [open], nameEnd: [], close: [close] },
    parameter: {
      open: ["<arg_key>"],
      nameEnd: ["</arg_key>"],
      valueOpen: "<arg_value>",
      close: ["</arg_value>"],
    },
    bareNames: true,
    untyped: "string",
    ...more,
  };
}

/** Markers for a grammar: its sections, and its calls where a section was forgotten. */
function markersOf(grammar: TagGrammar): CallMarker[] {
  const section = tagSectionBody(grammar);
  const call = tagCallBody(grammar);
  return [
    ...(grammar.section?.open ?? []).map((text) => ({ text, body: section })),
    ...grammar.call.open.map((text) => ({ text, body: call })),
  ];
}

const toolCall = { open: ["<tool_call>"], close: ["</tool_call>"] };
export const qwenGrammar = functionGrammar(toolCall, "string");
/** Qwen3-Coder, Qwen3.5 and later, Nemotron 3, Step 3.5. */
export const qwen3Xml = defineFormat({
  name: "qwen3-xml",
  calls: markersOf(qwenGrammar),
  thinking: { ...thinkTags, calls: "ends", repeatedOpener: "text", secondCloser: "dropped" },
  dropped: ["<|im_end|>"],
});

const seedThinking: ThinkingStyle = { ...thinkTags, open: ["<seed:think>"], close: ["</seed:think>"] };
export const seedCalls = markersOf(
  functionGrammar({ open: ["<seed:tool_call>"], close: ["</seed:tool_call>"] }, "json"),
);
export const seedOss = defineFormat({ name: "seed-oss", calls: seedCalls, thinking: seedThinking });

/** GLM's template writes what is no string as JSON, so that a value without a schema is read back as JSON. */
export const glmGrammar = argKeyGrammar("<tool_call>", "</tool_call>", { untyped: "json" });
export const glm = defineFormat({
  name: "glm",
  calls: markersOf(glmGrammar),
  thinking: interleavedThinkTags,
  undeclared: "text",
  dropped: ["<|user|>", "<|observation|>"],
});
export const ling3 = defineFormat({ ...glm, name: "ling3", thinking: thinkTags });

export const hunyuanGrammar = argKeyGrammar("<tool_call>", "</tool_call>", {
  section: { open: ["<tool_calls>"], close: ["</tool_calls>"] },
  call: { open: ["<tool_call>"], nameEnd: ["<tool_sep>"], close: ["</tool_call>"] },
});
export const hunyuan = defineFormat({
  name: "hunyuan",
  calls: [{ text: "<tool_calls>", body: tagSectionBody(hunyuanGrammar) }],
  thinking: hunyuanThinking,
  undeclared: "text",
});

export const minimaxM2Calls = markersOf(
  invokeGrammar("", { open: ["<minimax:tool_call>"], close: ["</minimax:tool_call>"] }, { untyped: "json" }),
);
export const minimaxM2 = defineFormat({
  name: "minimax-m2",
  calls: minimaxM2Calls,
  thinking: interleavedThinkTags,
  undeclared: "text",
  malformed: "dropped",
});

export const invokeXmlGrammar = invokeGrammar(
  "",
  { open: ["<function_calls>"], close: ["</function_calls>"] },
  { untyped: "json" },
);
export const invokeXml = defineFormat({
  name: "invoke-xml",
  calls: markersOf(invokeXmlGrammar),
  thinking: thinkTags,
  undeclared: "text",
});

export const dsmlCalls = markersOf(
  invokeGrammar(
    "｜DSML｜",
    {
      open: ["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"],
      close: ["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"],
    },
    { stringAttribute: { pattern: /\bstring\s*=\s*"([^"]*)"/, yes: "true" }, wrapper: "arguments" },
  ),
);
export const deepseekDsml = defineFormat({
  name: "deepseek-dsml",
  calls: dsmlCalls,
  thinking: { ...thinkTags, calls: "ends" },
  dropped: ["<｜end▁of▁sentence｜>"],
});

export const stepCalls = markersOf(invokeGrammar("steptml:", undefined));
export const step3 = defineFormat({
  name: "step3",
  calls: stepCalls,
  sections: [
    "<｜tool_calls_begin｜>",
    "<｜tool_calls_end｜>",
    "<｜tool_call_begin｜>function<｜tool_sep｜>",
    "<｜tool_call_begin｜>",
    "<｜tool_call_end｜>",
  ],
  thinking: thinkTags,
});

const minicpmOpeners = (tag: string) => [`<${tag} name="`, `<${tag}name="`, `<${tag}Ġname="`];
const minicpmGrammar: TagGrammar = {
  call: { open: minicpmOpeners("function"), nameEnd: [">"], close: ["</function>"] },
  parameter: { open: minicpmOpeners("param"), nameEnd: [">"], close: ["</param>"] },
  quotedNames: true,
  untyped: "string",
  cdata: true,
  strictParameters: true,
  wrapper: "properties",
};
export const minicpm5 = defineFormat({
  name: "minicpm5",
  calls: markersOf(minicpmGrammar),
  thinking: thinkTags,
  undeclared: "text",
});

export const kimiK3Calls = markersOf({
  call: {
    open: ['<|open|>call tool="'],
    nameEnd: ["<|sep|>"],
    close: ["<|close|>call<|sep|>", "<|close|>call"],
  },
  parameter: {
    open: ['<|open|>argument key="'],
    nameEnd: ["<|sep|>"],
    close: ["<|close|>argument<|sep|>", "<|close|>argument"],
  },
  section: { open: [], close: ["<|close|>tools<|sep|>", "<|close|>tools"] },
  quotedNames: true,
  entities: true,
  untyped: "string",
  afterForgottenEnd: ["<|open|>", "<|close|>"],
  stringAttribute: { pattern: /\btype\s*=\s*"([^"]*)"/, yes: "string" },
});
export const kimiK3 = defineFormat({
  name: "kimi-k3",
  calls: kimiK3Calls,
  sections: ["<|open|>tools<|sep|>", "<|open|>tools", "<|close|>tools<|sep|>", "<|close|>tools"],
  dropped: [
    "<|open|>response<|sep|>",
    "<|open|>response",
    "<|close|>response<|sep|>",
    "<|close|>response",
    "<|close|>message<|sep|>",
    "<|close|>message",
  ],
  thinking: {
    open: ["<|open|>think<|sep|>"],
    close: ["<|close|>think<|sep|>", "<|close|>think", "<|close|>", "<|open|>response<|sep|>"],
    calls: "ends",
    repeatedOpener: "dropped",
    secondCloser: "text",
  },
});

export const tagFormats: readonly Format[] = [
  qwen3Xml,
  seedOss,
  glm,
  ling3,
  hunyuan,
  { ...hunyuan, name: "hy-v3" },
  minimaxM2,
  invokeXml,
  deepseekDsml,
  step3,
  minicpm5,
  kimiK3,
];
