import { describe, expect, it } from "vitest";
import { helloRequest } from "../../../../test/support/open-wire.ts";
import { richRequest } from "../../../../test/support/rich-request.ts";
import { catalogue, findModel, type Model, type Thinking } from "../../../model/catalogue.ts";
import { userMessage } from "../../../model/message.ts";
import type { ModelRequest } from "../../../model/model-request.ts";
import { thinkingLevels } from "../../../model/thinking-level.ts";
import { encode, origin } from "./encode.ts";

const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];

function modelThat(thinking?: Thinking | false, facts: Partial<Model> = {}): Model {
  return { id: "m", name: "m", images: true, ...(thinking !== undefined && { thinking }), ...facts };
}

const asked = (request: Partial<ModelRequest>, model?: Model) =>
  encode({ ...helloRequest, ...request }, model);

it("a whole conversation is written as Anthropic takes it", () => {
  expect(encode(richRequest({ origin, value: "own seal" }), undefined)).toEqual({
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01" },
    body: {
      model: "test-model",
      max_tokens: 1000,
      stream: true,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "cGl4ZWxz" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            { type: "tool_use", id: "functions_read_0", name: "read", input: { path: "a.txt" } },
            { type: "tool_use", id: "call_2", name: "read", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "functions_read_0",
              content: [
                { type: "text", text: "seen" },
                { type: "image", source: { type: "base64", media_type: "image/jpeg", data: "cGhvdG8=" } },
              ],
            },
            {
              type: "tool_result",
              tool_use_id: "call_2",
              content: [{ type: "text", text: "no such file" }],
              is_error: true,
            },
            { type: "text", text: "Go on.", cache_control: { type: "ephemeral" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "Own thoughts.", signature: "own seal" },
            { type: "tool_use", id: "call_3", name: "list", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "call_3",
              content: [{ type: "text", text: "(no output)" }],
              cache_control: { type: "ephemeral" },
            },
          ],
        },
      ],
      tools: [
        {
          name: "read",
          description: "Reads a file.",
          input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
        },
        { name: "list", description: "Lists files.", input_schema: { type: "object", properties: {} } },
      ],
      tool_choice: { type: "auto" },
      temperature: 0.5,
      top_p: 0.9,
      stop_sequences: ["END"],
    },
  });
});

it("redacted thinking goes back as it came", () => {
  const part = { type: "thinking", text: "", signature: { origin, value: { data: "sealed" } } } as const;
  const { body } = asked({ messages: [userMessage("Hi"), { role: "assistant", content: [part] }] });
  expect(body.messages).toContainEqual({
    role: "assistant",
    content: [{ type: "redacted_thinking", data: "sealed" }],
  });
});

it("messages and parts without words are left out: the API refuses them", () => {
  const { body } = asked({
    messages: [
      userMessage("Hi"),
      { role: "assistant", content: [{ type: "text", text: " \n" }] },
      userMessage(""),
      userMessage("There?"),
    ],
  });
  expect(body.messages).toEqual([
    {
      role: "user",
      content: [
        { type: "text", text: "Hi" },
        { type: "text", text: "There?", cache_control: { type: "ephemeral" } },
      ],
    },
  ]);
});

it("the last two turns of the user are read from the cache next time, and the tools when there is no system prompt", () => {
  const answer = { role: "assistant", content: [{ type: "text", text: "Yes." }] } as const;
  const messages = [userMessage("One"), answer, userMessage("Two"), answer, userMessage("Three")];
  const marked: unknown[] = [];
  JSON.stringify(asked({ messages, tools }).body, (_, value) => {
    if (value?.cache_control) marked.push(value.text ?? value.name);
    return value;
  });
  expect(marked).toEqual(["Two", "Three", "read"]);
});

describe("a tool choice", () => {
  it.each([
    [undefined, { type: "auto" }],
    ["auto", { type: "auto" }],
    ["none", { type: "none" }],
    ["required", { type: "any" }],
    [{ name: "read" }, { type: "tool", name: "read" }],
  ] as const)("%j is %j", (toolChoice, expected) => {
    expect(asked({ tools, ...(toolChoice && { toolChoice }) }).body.tool_choice).toEqual(expected);
  });

  it("is not forced on a model that thinks", () => {
    const model = modelThat({ adaptive: { high: "high" }, canDisable: true });
    const { body } = asked({ tools, toolChoice: "required", thinking: "high" }, model);
    expect(body.tool_choice).toEqual({ type: "auto" });
  });

  it("is left out without tools", () => {
    expect(asked({ toolChoice: "required", tools: [] }).body).not.toHaveProperty("tool_choice");
  });
});

describe("thinking", () => {
  const words = { low: "low", medium: "medium", high: "high", max: "max" };
  const thinkingOf = (level: ModelRequest["thinking"], model: Model | undefined) => {
    const { body, headers } = asked({ ...(level && { thinking: level }) }, model);
    return [body.thinking, body.output_config, headers?.["anthropic-beta"]];
  };
  const adaptive = { type: "adaptive", display: "summarized" };

  it.each([
    [
      "nothing is asked for",
      undefined,
      modelThat({ adaptive: words, canDisable: true }),
      undefined,
      undefined,
    ],
    [
      "adaptive, off",
      "off",
      modelThat({ adaptive: words, canDisable: true }),
      { type: "disabled" },
      undefined,
    ],
    [
      "adaptive, off, but between tools",
      "off",
      modelThat({ adaptive: words, canDisable: true, betweenTools: true }),
      { type: "between_tools" },
      undefined,
    ],
    [
      "adaptive, cannot be off",
      "off",
      modelThat({ adaptive: words, canDisable: false }),
      adaptive,
      { effort: "low" },
    ],
    [
      "adaptive, minimal",
      "minimal",
      modelThat({ adaptive: words, canDisable: true }),
      adaptive,
      { effort: "low" },
    ],
    [
      "adaptive, high",
      "high",
      modelThat({ adaptive: words, canDisable: true }),
      adaptive,
      { effort: "high" },
    ],
    ["adaptive, max", "max", modelThat({ adaptive: words, canDisable: true }), adaptive, { effort: "max" }],
    ["adaptive, no words", "high", modelThat({ adaptive: {}, canDisable: false }), adaptive, undefined],
    ["a model that cannot think", "high", modelThat(false), undefined, undefined],
    ["an unknown model", "high", undefined, adaptive, { effort: "high" }],
    ["an unknown model, off", "off", undefined, { type: "disabled" }, undefined],
  ] as const)("%s", (_, level, model, thinking, output) => {
    expect(thinkingOf(level, model)).toEqual([thinking, output, undefined]);
  });

  it.each([
    ["off", undefined],
    ["minimal", 1_024],
    ["low", 4_096],
    ["high", 20_480],
    ["max", 27_904],
  ] as const)("by a budget, %s is %j tokens, with room left for the answer", (level, budget) => {
    const model = modelThat(
      { budget: { min: 1_024, max: 32_000 }, canDisable: true },
      { maxOutputTokens: 64_000 },
    );
    const expected = budget && { type: "enabled", budget_tokens: budget };
    const beta = budget && "interleaved-thinking-2025-05-14";
    expect(thinkingOf(level, model)).toEqual([expected, undefined, beta]);
  });

  it("by a budget is left out when there is no room for it", () => {
    const model = modelThat({ budget: { min: 1_024, max: 32_000 }, canDisable: true });
    const { body } = asked({ thinking: "high", maxOutputTokens: 5_000 }, model);
    expect(body).not.toHaveProperty("thinking");
    expect(body.max_tokens).toBe(5_000);
  });

  it("leaves sampling settings out, which cannot stand beside it", () => {
    const sampling = { temperature: 0, topP: 0.5 };
    const budget = modelThat({ budget: { min: 1_024, max: 32_000 }, canDisable: true });
    expect(asked({ ...sampling, thinking: "high" }, budget).body).not.toHaveProperty("temperature");
    expect(asked({ ...sampling, thinking: "off" }, budget).body).toMatchObject({
      temperature: 0,
      top_p: 0.5,
    });
    const always = modelThat({ adaptive: words, canDisable: true });
    expect(asked(sampling, always).body).not.toHaveProperty("top_p");
  });

  it("never asks for more output than a model of the catalogue gives, at any level", () => {
    for (const model of catalogue.anthropic?.models ?? []) {
      for (const thinking of thinkingLevels) {
        const { body } = asked(
          { thinking, maxOutputTokens: 1_000_000 },
          findModel(catalogue, "anthropic", model.id),
        );
        expect(body.max_tokens).toBeLessThanOrEqual(model.maxOutputTokens ?? 0);
        const budget = body.thinking && Object(body.thinking).budget_tokens;
        if (budget !== undefined) expect(budget).toBeLessThan(Number(body.max_tokens));
      }
    }
  });
});
