import type { ThinkingStyle } from "../format.ts";

/** `<think>` as most models have it: once, before the answer. */
export const thinkTags: ThinkingStyle = {
  open: ["<think>"],
  close: ["</think>"],
  calls: "quoted",
  repeatedOpener: "dropped",
  secondCloser: "text",
};

/** `<think>` of models that think again between calls. */
export const interleavedThinkTags: ThinkingStyle = { ...thinkTags, reopens: true };

export const hunyuanThinking: ThinkingStyle = { ...thinkTags, answer: ["<answer>", "</answer>"] };

/** Every way to mark thinking that is told by its own markers. */
export const anyThinkTags: ThinkingStyle = {
  ...thinkTags,
  open: [
    "<think>",
    "[THINK]",
    "<seed:think>",
    "<mm:think>",
    "<|START_THINKING|>",
    "<|inner_prefix|>",
    "<|channel>thought\n",
    "<|channel>thought",
    "<|channel>",
    "◁think▷",
  ],
  close: [
    "</think>",
    "[/THINK]",
    "</seed:think>",
    "</mm:think>",
    "<|END_THINKING|>",
    "<|inner_suffix|>",
    "<channel|>",
    "◁/think▷",
  ],
};
