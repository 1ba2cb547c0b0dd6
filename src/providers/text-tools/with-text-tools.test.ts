import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MessageAssembler } from "../../model/assemble-message.ts";
import { type Message, userMessage } from "../../model/message.ts";
import type { ModelEvent } from "../../model/model-event.ts";
import type { ModelRequest } from "../../model/model-request.ts";
import { createScriptedProvider, type ScriptedAnswer } from "../scripted/scripted-provider.ts";
import { withTextTools } from "./with-text-tools.ts";

const tools = [
  {
    name: "read_file",
    description: "Reads.",
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
];

async function ask(answer: ScriptedAnswer, request: Partial<ModelRequest> = {}) {
  const provider = createScriptedProvider([answer]);
  let ids = 0;
  const stream = withTextTools(provider.stream, {
    describeTools: (offered) => `TOOLS: ${offered.map(({ name }) => name).join(", ")}`,
    newId: () => `id-${ids++}`,
  });
  const events: ModelEvent[] = [];
  const assembler = new MessageAssembler();
  const whole = { model: "m", messages: [userMessage("Go")], tools, ...request };
  for await (const event of stream(whole, new AbortController().signal)) {
    events.push(event);
    assembler.add(event);
  }
  return { events, asked: provider.requests[0], ...assembler.snapshot() };
}

const words = (...texts: readonly string[]): ScriptedAnswer =>
  texts.map((text) => ({ type: "text_delta", text }));
const fenced = (json: string) => `\`\`\`tool_call\n${json}\n\`\`\``;

describe("a model without tool calling of its own", () => {
  test("is told of the tools in the system prompt and asked without them", async () => {
    const { asked } = await ask(words("Hi."), { system: "Be brief.", toolChoice: "auto" });
    expect(asked).toEqual({
      model: "m",
      system: "Be brief.\n\nTOOLS: read_file",
      messages: [userMessage("Go")],
    });
  });

  test("is not told of tools it may not use", async () => {
    const { asked } = await ask(words("Done."), { toolChoice: "none" });
    expect(asked?.system).toBeUndefined();
    expect(asked?.tools).toBeUndefined();
  });

  test("calls by what it writes: the same events as from any other model", async () => {
    const { events } = await ask(words("I read. ", fenced('{"tool":"read_file","parameters":{"path":"a"}}')));
    expect(events).toEqual([
      { type: "text_delta", text: "I read. " },
      { type: "tool_call_started", callId: "id-0", name: "read_file" },
      { type: "tool_call_args_delta", callId: "id-0", text: '{"path":"a"}' },
      { type: "tool_call_ready", call: { id: "id-0", name: "read_file", arguments: { path: "a" } } },
      expect.objectContaining({ type: "response_completed", reason: "tool_calls" }),
    ]);
  });

  test("may write several calls, and think before them", async () => {
    const { calls, message } = await ask(
      words(
        "<think>two files</think>",
        '<tool_call>{"name":"read_file","arguments":{"path":"a"}}</tool_call>',
        '<tool_call>{"name":"read_file","arguments":{"path":"b"}}</tool_call>',
      ),
    );
    expect(calls.map((call) => call.arguments)).toEqual([{ path: "a" }, { path: "b" }]);
    expect(message.content[0]).toEqual({ type: "thinking", text: "two files" });
  });

  test("whose call has no end has made none", async () => {
    const { calls, unfinished, reason } = await ask(
      words('```tool_call\n{"tool":"read_file","parameters":{"pa'),
    );
    expect(calls).toEqual([]);
    expect(unfinished).toHaveLength(1);
    expect(reason).toBe("length");
  });

  test("whose call cannot be read is told so through a malformed call", async () => {
    const { calls, reason } = await ask(words(fenced('{"tool":"read_file","parameters":[1]}')));
    expect(reason).toBe("tool_calls");
    expect(calls).toHaveLength(1);
    expect(calls[0]?.malformedArguments).toContain("read_file");
  });

  test("answers in plain words without losing any", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ maxLength: 30 }), { maxLength: 10 }), async (texts) => {
        const { message } = await ask(words(...texts), { tools: [] });
        const said = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
        const markup = /[<[`{|]|\btool/.test(texts.join(""));
        if (!markup) expect(said).toBe(texts.join(""));
      }),
    );
  });
});

test("the conversation is told in words: calls as they are asked for, results as the user's", async () => {
  const call = { id: "1", name: "read_file", arguments: { path: "a" } };
  const messages: Message[] = [
    userMessage("Read a"),
    {
      role: "assistant",
      content: [
        { type: "thinking", text: "hm" },
        { type: "text", text: "I read." },
        { type: "tool_call", call },
        { type: "tool_call", call: { ...call, id: "2", arguments: {}, malformedArguments: "{oops" } },
      ],
    },
    {
      role: "tool",
      callId: "1",
      toolName: "read_file",
      content: [{ type: "text", text: "one" }],
      isError: false,
    },
    {
      role: "tool",
      callId: "2",
      toolName: "read_file",
      content: [{ type: "text", text: "bad" }],
      isError: true,
    },
    userMessage("And now?"),
  ];
  const { asked } = await ask(words("Done."), { messages });
  expect(asked?.messages).toEqual([
    userMessage("Read a"),
    {
      role: "assistant",
      content: [
        { type: "text", text: `I read.\n${fenced('{"tool":"read_file","parameters":{"path":"a"}}')}\n{oops` },
      ],
    },
    {
      role: "user",
      content: ["The call of read_file gave:", "one", "The call of read_file failed:", "bad", "And now?"].map(
        (text) => ({
          type: "text",
          text,
        }),
      ),
    },
  ]);
});
