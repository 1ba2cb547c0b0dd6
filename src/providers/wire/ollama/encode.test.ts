import { expect, it } from "vitest";
import { helloRequest } from "../../../../test/support/open-wire.ts";
import { richRequest } from "../../../../test/support/rich-request.ts";
import type { Model } from "../../../model/catalogue.ts";
import type { ModelRequest } from "../../../model/model-request.ts";
import { encode } from "./encode.ts";

const tools = [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }];
const model: Model = { id: "m", name: "m", images: true, contextWindow: 8_192 };
const asked = (request: Partial<ModelRequest>, known?: Model) =>
  encode({ ...helloRequest, ...request }, known).body;

it("a whole conversation is written as Ollama takes it", () => {
  expect(encode(richRequest({ origin: "elsewhere", value: "x" }), model)).toEqual({
    path: "/api/chat",
    body: {
      model: "test-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "What is this?", images: ["cGl4ZWxz"] },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: [
            { function: { name: "read", arguments: { path: "a.txt" } } },
            { function: { name: "read", arguments: {} } },
          ],
        },
        { role: "tool", content: "seen", images: ["cGhvdG8="], tool_name: "read" },
        { role: "tool", content: "no such file", tool_name: "read" },
        { role: "user", content: "Go on." },
        { role: "assistant", content: "", tool_calls: [{ function: { name: "list", arguments: {} } }] },
        { role: "tool", content: "(no output)", tool_name: "list" },
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
      options: { num_ctx: 8192, num_predict: 1000, temperature: 0.5, top_p: 0.9, seed: 7, stop: ["END"] },
    },
  });
});

it("its own thinking goes back, which has no seal", () => {
  const body = asked({
    messages: [
      {
        role: "assistant",
        content: [
          { type: "thinking", text: "Hm." },
          { type: "text", text: "Yes." },
        ],
      },
    ],
  });
  expect(body.messages).toEqual([{ role: "assistant", content: "Yes.", thinking: "Hm." }]);
});

it("the context length is left to the server only where nobody knows it", () => {
  expect(asked({}).options).toEqual({});
  expect(asked({}, model).options).toEqual({ num_ctx: 8_192 });
});

it("no tools are shown to a model that shall use none", () => {
  expect(asked({ tools, toolChoice: "none" })).not.toHaveProperty("tools");
  expect(asked({ tools, toolChoice: "auto" })).toHaveProperty("tools");
});

it.each([
  [undefined, "qwen3:8b", undefined, undefined],
  ["off", "qwen3:8b", undefined, false],
  ["low", "qwen3:8b", undefined, true],
  ["max", "qwen3:8b", undefined, true],
  ["high", "gemma3", { ...model, thinking: false }, undefined],
  ["off", "gpt-oss:20b", undefined, "low"],
  ["minimal", "gpt-oss:20b", undefined, "low"],
  ["medium", "gpt-oss:20b", undefined, "medium"],
  ["max", "gpt-oss:20b", undefined, "high"],
] as const)("thinking %j of %s (known: %j) is asked for as %j", (thinking, id, known, expected) => {
  expect(asked({ model: id, ...(thinking && { thinking }) }, known).think).toBe(expected);
});
