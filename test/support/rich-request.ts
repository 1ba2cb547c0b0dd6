import type { JsonValue } from "../../src/model/json.ts";
import type { Message } from "../../src/model/message.ts";
import type { ModelRequest } from "../../src/model/model-request.ts";

/**
 * A conversation with one of everything: pictures, thinking that this provider sealed (`own`) and thinking that another
 * one did, parallel calls with odd ids, results with an error, a picture and nothing, and words after results.
 */
export function richRequest(own: { readonly origin: string; readonly value: JsonValue }): ModelRequest {
  const messages: readonly Message[] = [
    {
      role: "user",
      content: [
        { type: "text", text: "What is this?" },
        { type: "image", mediaType: "image/png", data: "cGl4ZWxz" },
      ],
    },
    {
      role: "assistant",
      content: [
        {
          type: "thinking",
          text: "Foreign thoughts.",
          signature: { origin: "elsewhere", value: "foreign seal" },
        },
        { type: "text", text: "I look." },
        {
          type: "tool_call",
          call: { id: "functions.read:0", name: "read", arguments: { path: "a.txt" } },
        },
        {
          type: "tool_call",
          call: { id: "call|2", name: "read", arguments: {}, malformedArguments: '{"path":' },
        },
      ],
    },
    {
      role: "tool",
      callId: "functions.read:0",
      toolName: "read",
      content: [
        { type: "text", text: "seen" },
        { type: "image", mediaType: "image/jpeg", data: "cGhvdG8=" },
      ],
      isError: false,
    },
    {
      role: "tool",
      callId: "call|2",
      toolName: "read",
      content: [{ type: "text", text: "no such file" }],
      isError: true,
    },
    { role: "user", content: [{ type: "text", text: "Go on." }] },
    {
      role: "assistant",
      content: [
        { type: "thinking", text: "Own thoughts.", signature: own },
        { type: "tool_call", call: { id: "call_3", name: "list", arguments: {} } },
      ],
    },
    { role: "tool", callId: "call_3", toolName: "list", content: [], isError: false },
  ];
  return {
    model: "test-model",
    system: "Be brief.",
    messages,
    tools: [
      {
        name: "read",
        description: "Reads a file.",
        inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
      },
      { name: "list", description: "Lists files.", inputSchema: { type: "object", properties: {} } },
    ],
    maxOutputTokens: 1_000,
    temperature: 0.5,
    topP: 0.9,
    seed: 7,
    stop: ["END"],
    cacheKey: "conversation-1",
  };
}
