import { lessThan } from "../char-code.ts";
import { type Body, type CallMarker, defineFormat, type Format, type ThinkingStyle } from "../format.ts";
import { type JsonBodyRules, jsonBody } from "../json-body.ts";
import { skipSpace } from "../reader.ts";
import { tagSectionBody } from "../tag-body.ts";
import { hunyuanGrammar } from "./tag-formats.ts";
import { hunyuanThinking, thinkTags } from "./thinking-styles.ts";

function marked(open: string, rules: JsonBodyRules): CallMarker {
  return { text: open, body: jsonBody(rules) };
}

const toolCallsTag = marked("<tool_calls>", { ends: ["</tool_calls>"] });
const longcatTag = marked("<longcat_tool_call>", { ends: ["</longcat_tool_call>"] });
const nemotronTag = marked("<TOOLCALL>", { ends: ["</TOOLCALL>"], accepts: "list" });
const granite20bTag = marked("<function_call>", { ends: ["</function_call>"], accepts: "object" });
const granite3Tag = marked("<|tool_call|>", { accepts: "list" });
const internTag = marked("<|action_start|><|plugin|>", { ends: ["<|action_end|>"] });
const apertusTag = marked("<|tools_prefix|>", { ends: ["<|tools_suffix|>"], nameAsKey: true });
const cohereTag = marked("<|START_ACTION|>", { ends: ["<|END_ACTION|>"] });
const functoolsTag: CallMarker = { text: "functools[", body: afterBracket(jsonBody({ accepts: "list" })) };
const gigaRules: JsonBodyRules = { argumentsRequired: true };
const gigaTags = ["<|message_sep|>\n\nfunction call<|role_sep|>\n", "<|function_call|>"].map((open) =>
  marked(open, gigaRules),
);
const hcxTag = marked("-> tool/function_call\n", { ends: ["<|im_end|>"], accepts: "list" });

/** For markers that end in the list's own bracket. */
function afterBracket(body: Body): Body {
  return (scanner, marker) => {
    scanner.source.pos--;
    return body(scanner, marker);
  };
}

/** `<tool_calls>` holds a list, an object a line, or tags. */
export const anyToolCallsTag: CallMarker = {
  text: "<tool_calls>",
  body: function* (scanner, marker) {
    const code = yield* skipSpace(scanner.source);
    return yield* (code === lessThan ? hunyuanSection : toolCallsTag.body)(scanner, marker);
  },
};
const hunyuanSection = tagSectionBody(hunyuanGrammar);

export const cohereThinking: ThinkingStyle = {
  ...thinkTags,
  open: ["<|START_THINKING|>"],
  close: ["<|END_THINKING|>"],
};
export const apertusThinking: ThinkingStyle = {
  ...thinkTags,
  open: ["<|inner_prefix|>"],
  close: ["<|inner_suffix|>"],
};
export const graniteThinking: ThinkingStyle = {
  ...thinkTags,
  open: ["<think>", "Here is my thought process:", "Here's my thought process:"],
  close: ["</think>", "Here is my response:", "Here's my response:"],
  answer: ["<response>", "</response>"],
};

export const cohereDropped = [
  "<|START_RESPONSE|>",
  "<|END_RESPONSE|>",
  "<|START_TEXT|>",
  "<|END_TEXT|>",
  "<|CHATBOT_TOKEN|>",
  "<|START_OF_TURN_TOKEN|>",
  "<|END_OF_TURN_TOKEN|>",
];

/** What detection looks for. The rest is told by words too ordinary to be a sign. */
export const jsonTags: readonly CallMarker[] = [
  longcatTag,
  nemotronTag,
  granite20bTag,
  granite3Tag,
  internTag,
  apertusTag,
  cohereTag,
  ...gigaTags,
];

function named(name: string, calls: readonly CallMarker[], more: Partial<Format> = {}): Format {
  return defineFormat({ name, calls, thinking: thinkTags, ...more });
}

export const jsonFormats: readonly Format[] = [
  named("longcat", [longcatTag]),
  named("granite-20b-fc", [granite20bTag]),
  named("granite3", [granite3Tag, marked("<tool_call>", { accepts: "list" })], {
    thinking: graniteThinking,
  }),
  named("gigachat3", gigaTags, { dropped: ["</s>"] }),
  named("minimax-m1", [marked("<tool_calls>", { ends: ["</tool_calls>"], argumentsRequired: true })], {
    thinking: { ...thinkTags, reopens: true },
  }),
  named("internlm2", [internTag]),
  named("jamba", [toolCallsTag]),
  named("hunyuan-a13b", [toolCallsTag], { thinking: hunyuanThinking }),
  named("apriel", [toolCallsTag], {
    thinking: { ...thinkTags, open: ["Here are my reasoning steps:"], close: ["[BEGIN FINAL RESPONSE]"] },
    dropped: ["<|end|>"],
  }),
  named("nemotron-toolcall", [nemotronTag]),
  named("apertus", [apertusTag], { thinking: apertusThinking }),
  named("cohere-r7b", [cohereTag], { thinking: cohereThinking, dropped: cohereDropped }),
  named(
    "cohere-r-plus",
    [marked("Action:\n```json\n", { ends: ["```"] }), marked("Action: ```json\n", { ends: ["```"] })],
    {
      dropped: cohereDropped,
    },
  ),
  named("phi4-mini", [functoolsTag]),
  named("firefunction", [functoolsTag]),
  named("hcx", [hcxTag], { dropped: ["<|im_end|>"] }),
];
