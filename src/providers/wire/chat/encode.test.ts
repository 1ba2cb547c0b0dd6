import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { helloRequest } from "../../../../test/support/open-wire.ts";
import { richRequest } from "../../../../test/support/rich-request.ts";
import type { Model, Thinking } from "../../../model/catalogue.ts";
import { type Message, userMessage } from "../../../model/message.ts";
import type { ModelRequest } from "../../../model/model-request.ts";
import { type ChatDialectName, chatDialects } from "./dialect.ts";
import { encode, originOf } from "./encode.ts";

const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
const modelThat = (thinking: Thinking | false): Model => ({ id: "m", name: "m", images: true, thinking });

function asked(request: Partial<ModelRequest>, dialect: ChatDialectName = "common", model?: Model) {
  return encode({ ...helloRequest, ...request }, model, chatDialects[dialect], "mine").body;
}

it("a whole conversation is written as most servers take it", () => {
  const own = { origin: originOf("mine"), value: { field: "reasoning_content" } };
  expect(encode(richRequest(own), undefined, chatDialects.common, "mine")).toEqual({
    path: "/chat/completions",
    body: {
      model: "test-model",
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,cGl4ZWxz" } },
          ],
        },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [
            {
              id: "functions.read:0",
              type: "function",
              function: { name: "read", arguments: '{"path":"a.txt"}' },
            },
            { id: "call|2", type: "function", function: { name: "read", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "functions.read:0", content: "seen" },
        { role: "tool", tool_call_id: "call|2", content: "no such file" },
        {
          role: "user",
          content: [
            { type: "text", text: "Image from read:" },
            { type: "image_url", image_url: { url: "data:image/jpeg;base64,cGhvdG8=" } },
          ],
        },
        { role: "user", content: "Go on." },
        {
          role: "assistant",
          content: null,
          reasoning_content: "Own thoughts.",
          tool_calls: [{ id: "call_3", type: "function", function: { name: "list", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "call_3", content: "(no output)" },
      ],
      stream: true,
      stream_options: { include_usage: true },
      tools: [
        {
          type: "function",
          function: {
            name: "read",
            description: "Reads a file.",
            parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          },
        },
        {
          type: "function",
          function: {
            name: "list",
            description: "Lists files.",
            parameters: { type: "object", properties: {} },
          },
        },
      ],
      tool_choice: "auto",
      max_tokens: 1000,
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      stop: ["END"],
    },
  });
});

it("a whole conversation is written as Mistral takes it", () => {
  const own = { origin: originOf("mistral"), value: { field: "reasoning_content" } };
  expect(encode(richRequest(own), undefined, chatDialects.mistral, "mistral")).toEqual({
    path: "/chat/completions",
    body: {
      model: "test-model",
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "data:image/png;base64,cGl4ZWxz" } },
          ],
        },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [
            { id: "8mpa3d21a", type: "function", function: { name: "read", arguments: '{"path":"a.txt"}' } },
            { id: "6bbq8pbif", type: "function", function: { name: "read", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "8mpa3d21a", content: "seen" },
        { role: "tool", tool_call_id: "6bbq8pbif", content: "no such file" },
        { role: "assistant", content: "I see." },
        {
          role: "user",
          content: [
            { type: "text", text: "Image from read:" },
            { type: "image_url", image_url: { url: "data:image/jpeg;base64,cGhvdG8=" } },
          ],
        },
        { role: "user", content: "Go on." },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "p7ho8vt4z", type: "function", function: { name: "list", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "p7ho8vt4z", content: "(no output)" },
      ],
      stream: true,
      tools: [
        {
          type: "function",
          function: {
            name: "read",
            description: "Reads a file.",
            parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
          },
        },
        {
          type: "function",
          function: {
            name: "list",
            description: "Lists files.",
            parameters: { type: "object", properties: {} },
          },
        },
      ],
      tool_choice: "auto",
      max_tokens: 1000,
      temperature: 0.5,
      top_p: 0.9,
      random_seed: 7,
      stop: ["END"],
    },
  });
});

describe("an answer of the past", () => {
  const answer = (...content: Extract<Message, { role: "assistant" }>["content"]): Message => ({
    role: "assistant",
    content,
  });
  const sealed = {
    type: "thinking",
    text: "",
    signature: { origin: originOf("mine"), value: { field: "reasoning" } },
  } as const;
  const call = { type: "tool_call", call: { id: "c", name: "read", arguments: {} } } as const;

  it("that has neither words nor calls is left out", () => {
    const messages = [userMessage("Hi"), answer({ type: "thinking", text: "Hm." }), userMessage("There?")];
    expect(asked({ messages }).messages).toEqual([
      { role: "user", content: "Hi" },
      { role: "user", content: "There?" },
    ]);
  });

  it("gets its thinking back under the name it came under, in the turn that still runs", () => {
    const messages = [userMessage("Hi"), answer({ type: "thinking", text: "Hm." }, call, sealed)];
    expect(asked({ messages }).messages).toMatchObject([
      {},
      { role: "assistant", content: null, reasoning: "Hm." },
    ]);
    const finished = [...messages, userMessage("Next")];
    expect(JSON.stringify(asked({ messages: finished }))).not.toContain("Hm.");
  });

  it("gets no thinking of another provider, nor at a server that refuses it", () => {
    const messages = [userMessage("Hi"), answer({ type: "thinking", text: "Hm." }, call, sealed)];
    const elsewhere = encode({ ...helloRequest, messages }, undefined, chatDialects.common, "other").body;
    expect(JSON.stringify(elsewhere)).not.toContain("Hm.");
    for (const dialect of ["xai", "groq", "openai", "mistral"] as const)
      expect(JSON.stringify(asked({ messages }, dialect))).not.toContain("Hm.");
  });
});

it("a result that is only a picture says so, and the picture follows", () => {
  const image = { type: "image", mediaType: "image/png", data: "cGl4" } as const;
  const body = asked({
    messages: [{ role: "tool", callId: "c", toolName: "shot", content: [image], isError: false }],
  });
  expect(body.messages).toEqual([
    { role: "tool", tool_call_id: "c", content: "(an image)" },
    {
      role: "user",
      content: [
        { type: "text", text: "Image from shot:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,cGl4" } },
      ],
    },
  ]);
});

describe("a dialect", () => {
  it.each([
    ["common", { max_tokens: 9, seed: 7, tool_choice: "required", stream_options: { include_usage: true } }],
    ["groq", { max_completion_tokens: 9, seed: 7, tool_choice: "required" }],
    ["openai", { max_completion_tokens: 9, seed: 7, tool_choice: "required" }],
    ["mistral", { max_tokens: 9, random_seed: 7, tool_choice: "any" }],
  ] as const)("of %s has its own names: %j", (dialect, expected) => {
    expect(asked({ tools, toolChoice: "required", maxOutputTokens: 9, seed: 7 }, dialect)).toMatchObject(
      expected,
    );
  });

  it("of Mistral has no field for usage, which it refuses", () => {
    expect(asked({}, "mistral")).not.toHaveProperty("stream_options");
  });

  it("names a forced tool", () => {
    expect(asked({ tools, toolChoice: { name: "read" } }).tool_choice).toEqual({
      type: "function",
      function: { name: "read" },
    });
  });
});

describe("thinking", () => {
  const effort = { low: "low", medium: "medium", high: "high", max: "xhigh" };
  const can = modelThat({ effort, canDisable: true });
  const must = modelThat({ effort, canDisable: false });
  const budget = modelThat({ budget: { min: 1_024, max: 32_000 }, canDisable: true });

  it.each([
    ["common", undefined, can, {}],
    ["common", "high", can, { reasoning_effort: "high" }],
    ["common", "max", can, { reasoning_effort: "xhigh" }],
    ["common", "off", can, { reasoning_effort: "none" }],
    ["common", "off", must, { reasoning_effort: "low" }],
    ["common", "high", modelThat({ effort: {}, canDisable: false }), {}],
    ["common", "high", modelThat(false), {}],
    ["common", "high", undefined, { reasoning_effort: "high" }],
    ["common", "off", undefined, {}],
    ["openrouter", "high", can, { reasoning: { effort: "high" } }],
    ["openrouter", "off", can, { reasoning: { enabled: false } }],
    ["openrouter", "off", must, { reasoning: { effort: "low" } }],
    ["openrouter", "low", budget, { reasoning: { max_tokens: 4_096 } }],
    ["openrouter", "high", undefined, { reasoning: { effort: "high" } }],
    ["openrouter", "high", modelThat({ effort: {}, canDisable: false }), { reasoning: { enabled: true } }],
    ["deepseek", "max", can, { thinking: { type: "enabled" }, reasoning_effort: "xhigh" }],
    ["deepseek", "off", can, { thinking: { type: "disabled" } }],
  ] as const)("in the dialect %s, %j for %j is %j", (dialect, level, model, expected) => {
    const { reasoning_effort, reasoning, thinking } = asked(
      { ...(level && { thinking: level }) },
      dialect,
      model,
    );
    const written = { reasoning_effort, reasoning, thinking };
    expect(JSON.parse(JSON.stringify(written))).toEqual(expected);
  });
});

describe("ids of calls at Mistral", () => {
  const idsOf = (ids: readonly string[]) => {
    const body = asked(
      {
        messages: [
          {
            role: "assistant",
            content: ids.map((id) => ({ type: "tool_call", call: { id, name: "read", arguments: {} } })),
          },
          ...ids.map(
            (callId) => ({ role: "tool", callId, toolName: "read", content: [], isError: false }) as const,
          ),
        ],
      },
      "mistral",
    );
    const json = JSON.stringify(body.messages);
    return {
      calls: [...json.matchAll(/"id":"([^"]*)"/g)].map((match) => match[1]),
      results: [...json.matchAll(/"tool_call_id":"([^"]*)"/g)].map((match) => match[1]),
    };
  };

  it("are nine letters or digits, whatever they were, and a result finds its call", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ unit: "binary" }), { minLength: 1, maxLength: 8 }), (ids) => {
        const { calls, results } = idsOf(ids);
        expect(results).toEqual(calls);
        expect(new Set(calls).size).toBe(ids.length);
        for (const id of calls) expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
      }),
      { numRuns: 30 },
    );
  });

  it("stay as they are when Mistral made them", () => {
    expect(idsOf(["D681PevKs"]).calls).toEqual(["D681PevKs"]);
  });
});
