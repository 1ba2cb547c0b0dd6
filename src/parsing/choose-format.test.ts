import { describe, expect, it } from "vitest";
import { formatForModel } from "./choose-format.ts";
import { formatNames } from "./formats/catalogue.ts";

describe("the format of a model", () => {
  it.each([
    ["qwen3-coder", "qwen3-xml"],
    ["Qwen/Qwen3-Coder-30B-A3B-Instruct", "qwen3-xml"],
    ["qwen3.5:35b", "qwen3-xml"],
    ["qwen2.5-coder:7b", "hermes"],
    ["Qwen3-4B-Instruct-2507-Q4_K_M.gguf", "hermes"],
    ["gpt-oss:20b", "harmony"],
    ["hf.co/unsloth/gpt-oss-20b-GGUF:Q4_K_M", "harmony"],
    ["mistral-small", "mistral-args"],
    ["Mistral-7B-Instruct-v0.3", "mistral-array"],
    ["devstral:24b", "mistral-args"],
    ["Meta-Llama-3.1-8B-Instruct", "llama3-json"],
    ["llama4:scout", "llama4-pythonic"],
    ["gemma4:12b", "gemma4"],
    ["zai-org/GLM-4.6", "glm"],
    ["deepseek-r1:14b", "deepseek-v3"],
    ["DeepSeek-V3.1", "deepseek-v31"],
    ["deepseek-v3.2", "deepseek-dsml"],
    ["moonshotai/Kimi-K2-Instruct", "kimi-k2"],
    ["MiniMax-M2", "minimax-m2"],
    ["LFM2-1.2B", "lfm2"],
    ["granite-4.0-h-small", "hermes"],
    ["granite-3.3-8b-instruct", "granite3"],
    ["Phi-4-mini-instruct", "phi4-mini"],
    ["c4ai-command-r7b-12-2024", "cohere-r7b"],
    ["Seed-OSS-36B-Instruct", "seed-oss"],
  ])("is known for %s", (model, format) => {
    expect(formatForModel(model)).toBe(format);
    expect(formatNames).toContain(format);
  });

  it("is left to detection for others", () => {
    expect(formatForModel("some-new-model")).toBeUndefined();
  });
});
