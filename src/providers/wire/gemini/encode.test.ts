import { describe, expect, it } from "vitest";
import { helloRequest } from "../../../../test/support/open-wire.ts";
import { richRequest } from "../../../../test/support/rich-request.ts";
import type { Model, Thinking } from "../../../model/catalogue.ts";
import { userMessage } from "../../../model/message.ts";
import type { ModelRequest } from "../../../model/model-request.ts";
import { encode, origin } from "./encode.ts";

const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
const asked = (request: Partial<ModelRequest>, model?: Model) =>
  encode({ ...helloRequest, ...request }, model).body;
const modelThat = (thinking: Thinking | false): Model => ({ id: "m", name: "m", images: true, thinking });

it("a whole conversation is written as Gemini takes it", () => {
  expect(encode(richRequest({ origin, value: { thoughtSignature: "own seal" } }), undefined)).toEqual({
    path: "/models/test-model:streamGenerateContent?alt=sse",
    body: {
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        {
          role: "user",
          parts: [{ text: "What is this?" }, { inlineData: { mimeType: "image/png", data: "cGl4ZWxz" } }],
        },
        {
          role: "model",
          parts: [
            { text: "I look." },
            { functionCall: { name: "read", args: { path: "a.txt" } } },
            { functionCall: { name: "read", args: {} } },
          ],
        },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "read", response: { output: "seen" } } },
            { inlineData: { mimeType: "image/jpeg", data: "cGhvdG8=" } },
            { functionResponse: { name: "read", response: { error: "no such file" } } },
          ],
        },
        { role: "user", parts: [{ text: "Go on." }] },
        {
          role: "model",
          parts: [
            { text: "Own thoughts.", thought: true, thoughtSignature: "own seal" },
            { functionCall: { name: "list", args: {} } },
          ],
        },
        { role: "user", parts: [{ functionResponse: { name: "list", response: { output: "" } } }] },
      ],
      tools: [
        {
          functionDeclarations: [
            {
              name: "read",
              description: "Reads a file.",
              parametersJsonSchema: {
                type: "object",
                properties: { path: { type: "string" } },
                required: ["path"],
              },
            },
            {
              name: "list",
              description: "Lists files.",
              parametersJsonSchema: { type: "object", properties: {} },
            },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      generationConfig: {
        maxOutputTokens: 1000,
        temperature: 0.5,
        topP: 0.9,
        seed: 7,
        stopSequences: ["END"],
      },
    },
  });
});

it("a call and its result go back under the provider's own id, and under none where it gave none", () => {
  const call = (id: string, value?: { id: string }) => ({
    type: "tool_call" as const,
    call: { id, name: "read", arguments: {}, ...(value && { signature: { origin, value } }) },
  });
  const result = (callId: string) => ({
    role: "tool" as const,
    callId,
    toolName: "read",
    content: [],
    isError: false,
  });
  const body = asked({
    messages: [
      userMessage("Hi"),
      { role: "assistant", content: [call("theirs", { id: "theirs" }), call("made-up")] },
      result("theirs"),
      result("made-up"),
    ],
  });
  expect(body.contents).toEqual([
    { role: "user", parts: [{ text: "Hi" }] },
    {
      role: "model",
      parts: [
        { functionCall: { name: "read", args: {}, id: "theirs" } },
        { functionCall: { name: "read", args: {} } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { name: "read", id: "theirs", response: { output: "" } } },
        { functionResponse: { name: "read", response: { output: "" } } },
      ],
    },
  ]);
});

it("an empty text goes back only for the seal on it that is Gemini's", () => {
  const text = (from: string) =>
    ({ type: "text", text: "", signature: { origin: from, value: { thoughtSignature: "seal" } } }) as const;
  const body = asked({ messages: [{ role: "assistant", content: [text(origin), text("elsewhere")] }] });
  expect(body.contents).toEqual([{ role: "model", parts: [{ text: "", thoughtSignature: "seal" }] }]);
});

it("an odd model id cannot change the path", () => {
  expect(encode({ ...helloRequest, model: "../x?y" }, undefined).path).toBe(
    "/models/..%2Fx%3Fy:streamGenerateContent?alt=sse",
  );
});

it.each([
  ["auto", { mode: "AUTO" }],
  ["none", { mode: "NONE" }],
  ["required", { mode: "ANY" }],
  [{ name: "read" }, { mode: "ANY", allowedFunctionNames: ["read"] }],
] as const)("the tool choice %j is %j", (toolChoice, functionCallingConfig) => {
  expect(asked({ tools, toolChoice }).toolConfig).toEqual({ functionCallingConfig });
});

describe("thinking", () => {
  const level = { low: "low", medium: "medium", high: "high" };
  const budget = { min: 512, max: 24_576 };

  it.each([
    ["nothing asked for", undefined, modelThat({ level, canDisable: false }), undefined],
    [
      "a level",
      "medium",
      modelThat({ level, canDisable: false }),
      { includeThoughts: true, thinkingLevel: "medium" },
    ],
    [
      "a level it has no word for",
      "max",
      modelThat({ level, canDisable: false }),
      { includeThoughts: true, thinkingLevel: "high" },
    ],
    [
      "cannot be off",
      "off",
      modelThat({ level, canDisable: false }),
      { includeThoughts: true, thinkingLevel: "low" },
    ],
    [
      "a budget",
      "low",
      modelThat({ budget, canDisable: true }),
      { includeThoughts: true, thinkingBudget: 4_096 },
    ],
    [
      "a budget, at most",
      "max",
      modelThat({ budget, canDisable: true }),
      { includeThoughts: true, thinkingBudget: 24_576 },
    ],
    [
      "a budget, off",
      "off",
      modelThat({ budget, canDisable: true }),
      { includeThoughts: false, thinkingBudget: 0 },
    ],
    [
      "a budget that cannot be off",
      "off",
      modelThat({ budget, canDisable: false }),
      { includeThoughts: true, thinkingBudget: 512 },
    ],
    ["a model that cannot", "high", modelThat(false), undefined],
    ["an unknown model", "high", undefined, { includeThoughts: true, thinkingLevel: "high" }],
  ] as const)("%s", (_, wanted, model, thinkingConfig) => {
    const body = asked({ ...(wanted && { thinking: wanted }) }, model);
    expect(body.generationConfig).toEqual({ ...(thinkingConfig && { thinkingConfig }) });
  });
});

describe("calls in the history of Gemini 3 and later", () => {
  const history = (signature?: string) => [
    userMessage("Go"),
    {
      role: "assistant" as const,
      content: ["1", "2"].map((id) => ({
        type: "tool_call" as const,
        call: {
          id,
          name: "read",
          arguments: {},
          ...(signature && id === "1" && { signature: { origin, value: { thoughtSignature: signature } } }),
        },
      })),
    },
  ];
  const signaturesIn = (model: string, signature?: string) => {
    const { contents } = asked({ model, messages: history(signature) });
    const parts = Array.isArray(contents) ? contents.at(-1).parts : [];
    return parts.map((part: { thoughtSignature?: string }) => part.thoughtSignature);
  };

  it("that another model made get the word that stands in for a signature, the first of a turn", () => {
    expect(signaturesIn("gemini-3-pro")).toEqual(["skip_thought_signature_validator", undefined]);
    expect(signaturesIn("gemini-12-flash")).toEqual(["skip_thought_signature_validator", undefined]);
  });

  it("that were signed stay as they are, and older models get none", () => {
    expect(signaturesIn("gemini-3-pro", "own")).toEqual(["own", undefined]);
    expect(signaturesIn("gemini-2.5-pro")).toEqual([undefined, undefined]);
  });
});
