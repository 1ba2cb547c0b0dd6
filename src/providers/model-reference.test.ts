import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { thinkingLevels } from "../model/thinking-level.ts";
import { parseModelReference } from "./model-reference.ts";

describe("a model reference", () => {
  it.each([
    ["ollama/qwen3:8b", { provider: "ollama", model: "qwen3:8b" }],
    ["openrouter/a/b:free", { provider: "openrouter", model: "a/b:free" }],
    ["openrouter/a/b:free:low", { provider: "openrouter", model: "a/b:free", thinking: "low" }],
    ["x/y:high", { provider: "x", model: "y", thinking: "high" }],
    ["x/y:off", { provider: "x", model: "y", thinking: "off" }],
    ["x/y:HIGH", { provider: "x", model: "y:HIGH" }],
    ["x/y:", { provider: "x", model: "y:" }],
    ["x/:high", { provider: "x", model: ":high" }],
    ["ollama/hf.co/org/name:Q4_K_M", { provider: "ollama", model: "hf.co/org/name:Q4_K_M" }],
    ["bedrock/us.anthropic.claude-v2:0", { provider: "bedrock", model: "us.anthropic.claude-v2:0" }],
  ])("%s names %j", (text, expected) => {
    expect(parseModelReference(text)).toEqual(expected);
  });

  it.each(["", "/", "gpt-5", "gpt-5:high", "/model", "provider/"])("%j names nothing", (text) => {
    expect(parseModelReference(text)).toBeUndefined();
  });

  it("loses nothing: its parts put together are what was written", () => {
    const part = fc.string({ minLength: 1 }).filter((text) => !text.includes("/"));
    const level = fc.constantFrom(...thinkingLevels);
    fc.assert(
      fc.property(part, part, level, (provider, model, thinking) => {
        expect(parseModelReference(`${provider}/${model}:${thinking}`)).toEqual({
          provider,
          model,
          thinking,
        });
      }),
    );
  });
});
