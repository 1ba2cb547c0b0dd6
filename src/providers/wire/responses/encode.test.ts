import { describe, expect, it } from "vitest";
import { helloRequest } from "../../../../test/support/open-wire.ts";
import { richRequest } from "../../../../test/support/rich-request.ts";
import type { Model, Thinking } from "../../../model/catalogue.ts";
import type { ModelRequest } from "../../../model/model-request.ts";
import { encode, origin } from "./encode.ts";

const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
const asked = (request: Partial<ModelRequest>, model?: Model) =>
  encode({ ...helloRequest, ...request }, model).body;
const modelThat = (thinking: Thinking | false): Model => ({ id: "m", name: "m", images: true, thinking });

it("a whole conversation is written as the Responses API takes it", () => {
  const item = { type: "reasoning", summary: [], encrypted_content: "own seal" };
  expect(encode(richRequest({ origin, value: item }), undefined)).toEqual({
    path: "/responses",
    body: {
      model: "test-model",
      instructions: "Be brief.",
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "What is this?" },
            { type: "input_image", image_url: "data:image/png;base64,cGl4ZWxz" },
          ],
        },
        { role: "assistant", content: [{ type: "output_text", text: "I look." }] },
        { type: "function_call", call_id: "functions.read:0", name: "read", arguments: '{"path":"a.txt"}' },
        { type: "function_call", call_id: "call|2", name: "read", arguments: "{}" },
        {
          type: "function_call_output",
          call_id: "functions.read:0",
          output: [
            { type: "input_text", text: "seen" },
            { type: "input_image", image_url: "data:image/jpeg;base64,cGhvdG8=" },
          ],
        },
        { type: "function_call_output", call_id: "call|2", output: "no such file" },
        { role: "user", content: [{ type: "input_text", text: "Go on." }] },
        { type: "reasoning", summary: [], encrypted_content: "own seal" },
        { type: "function_call", call_id: "call_3", name: "list", arguments: "{}" },
        { type: "function_call_output", call_id: "call_3", output: "(no output)" },
      ],
      stream: true,
      store: false,
      tools: [
        {
          type: "function",
          name: "read",
          description: "Reads a file.",
          parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          strict: false,
        },
        {
          type: "function",
          name: "list",
          description: "Lists files.",
          parameters: { type: "object", properties: {} },
          strict: false,
        },
      ],
      tool_choice: "auto",
      parallel_tool_calls: true,
      max_output_tokens: 1000,
      temperature: 0.5,
      top_p: 0.9,
      prompt_cache_key: "conversation-1",
    },
  });
});

it.each([
  ["auto", "auto"],
  ["none", "none"],
  ["required", "required"],
  [{ name: "read" }, { type: "function", name: "read" }],
] as const)("the tool choice %j is %j", (toolChoice, expected) => {
  expect(asked({ tools, toolChoice }).tool_choice).toEqual(expected);
});

describe("thinking", () => {
  const words = { low: "low", medium: "medium", high: "high", max: "xhigh" };

  it.each([
    ["nothing asked for", undefined, modelThat({ effort: words, canDisable: true }), { summary: "auto" }],
    ["off", "off", modelThat({ effort: words, canDisable: true }), { effort: "none" }],
    [
      "cannot be off",
      "off",
      modelThat({ effort: words, canDisable: false }),
      { summary: "auto", effort: "low" },
    ],
    [
      "minimal, for which there is no word",
      "minimal",
      modelThat({ effort: words, canDisable: true }),
      { summary: "auto", effort: "low" },
    ],
    ["max", "max", modelThat({ effort: words, canDisable: true }), { summary: "auto", effort: "xhigh" }],
    ["no words at all", "high", modelThat({ effort: {}, canDisable: false }), { summary: "auto" }],
    ["a model that cannot", "high", modelThat(false), undefined],
  ] as const)("%s", (_, level, model, expected) => {
    const body = asked({ ...(level && { thinking: level }) }, model);
    expect(body.reasoning).toEqual(expected);
    expect(body.include).toEqual(expected && ["reasoning.encrypted_content"]);
  });

  it.each([
    ["gpt-5.9-new", true],
    ["o3", true],
    ["gpt-4o", false],
    ["gpt-5-chat-latest", false],
    ["llama-3", false],
  ])("of the unknown model %s is guessed by its name: %j", (model, thinks) => {
    const body = asked({ model, thinking: "max", temperature: 0.5 });
    expect(body.reasoning).toEqual(thinks ? { summary: "auto", effort: "high" } : undefined);
    expect(body.temperature).toBe(thinks ? undefined : 0.5);
  });
});
