import { describe, expect, it } from "vitest";
import type { ParserEvent } from "./parser-event.ts";
import { createToolCallParser, type ParserOptions, parseToolCalls } from "./tool-call-parser.ts";

const tools = [
  {
    name: "read_file",
    description: "Reads a file.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, line: { type: "integer" }, raw: { type: "boolean" } },
    },
  },
  { name: "list", description: "Lists files.", inputSchema: { type: "object", properties: {} } },
];
const call = { name: "read_file", arguments: { path: "a.ts" } };

function eventsOf(chunks: readonly string[], options: ParserOptions = { tools }): ParserEvent[] {
  const parser = createToolCallParser(options);
  return [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()];
}

describe("a fenced tool_call", () => {
  const fence = '```tool_call\n{"tool": "read_file", "parameters": {"path": "a.ts"}}\n```\n';

  it("is a call, and goes from the text with its own lines", () => {
    expect(parseToolCalls(`Let me look.\n${fence}Done.`, { tools })).toEqual({
      content: "Let me look.\nDone.",
      thinking: "",
      calls: [call],
      incomplete: undefined,
    });
  });

  it("comes several times, with text between", () => {
    const { content, calls } = parseToolCalls(`${fence}and\n${fence}`, { tools });
    expect(content).toBe("and\n");
    expect(calls).toEqual([call, call]);
  });

  it("ends by its JSON, whatever the strings in it hold", () => {
    const path = '```\n}}</tool_call> {"x": [';
    const text = `\`\`\`tool_call\n${JSON.stringify({ tool: "read_file", parameters: { path } })}\n\`\`\``;
    expect(parseToolCalls(text, { tools }).calls).toEqual([{ name: "read_file", arguments: { path } }]);
  });

  it("is reported and left as text when it cannot be read, and its siblings are not lost", () => {
    const events = eventsOf(['```tool_call\n{"tool": }\n```\n', fence]);
    expect(events[0]).toMatchObject({ type: "malformed_call", index: 0, reason: "not_readable" });
    expect(events.at(-1)).toEqual({ type: "call", index: 1, call });
    expect(
      events
        .filter((event) => event.type === "text")
        .map((event) => event.text)
        .join(""),
    ).toContain('{"tool": }');
  });

  it("is reported and never made up when the input ends inside it", () => {
    const cut = fence.slice(0, 50);
    expect(parseToolCalls(`Well. ${cut}`, { tools })).toEqual({
      content: "Well. ",
      thinking: "",
      calls: [],
      incomplete: { name: "read_file", text: cut },
    });
  });

  it("says that it began as soon as its name is known", () => {
    const events = eventsOf([fence.slice(0, 40), fence.slice(40)]);
    expect(events.map((event) => event.type)).toEqual(["call_started", "call"]);
    expect(events[0]).toEqual({ type: "call_started", index: 0, name: "read_file" });
  });
});

describe("JSON that nothing marks as a call", () => {
  const json = JSON.stringify(call);

  it("is one when it names a declared tool and has an arguments object", () => {
    expect(parseToolCalls(`Now: ${json} there.`, { tools })).toMatchObject({
      content: "Now:  there.",
      calls: [call],
    });
    expect(parseToolCalls(`\`\`\`json\n${json}\n\`\`\``, { tools })).toMatchObject({
      content: "",
      calls: [call],
    });
    expect(parseToolCalls(`[${json}, ${json}]`, { tools })).toMatchObject({
      content: "",
      calls: [call, call],
    });
  });

  it.each([
    '{"name": "other", "arguments": {}}',
    '{"name": "read_file"}',
    '{"name": "read_file", "arguments": "a.ts"}',
    '{"user": {"name": "read_file", "arguments": {}}}',
    '{"name": "read_file", "arguments": {}, "age": 3}',
    '[{"x": 1}, {"name": "read_file", "arguments": {}}]',
    '```json\n{"name": "my-app", "version": "1.0.0"}\n```',
    "{ not json }",
    "if (a) { return b; } else [1, 2]",
  ])("is text otherwise: %s", (text) => {
    expect(parseToolCalls(text, { tools })).toMatchObject({ content: text, calls: [] });
  });

  it("is text where no tools were given", () => {
    expect(parseToolCalls(json)).toMatchObject({ content: json, calls: [] });
  });

  it("is found after what only began like it", () => {
    const text = `{"name": "other", ${json}`;
    expect(parseToolCalls(text, { tools })).toMatchObject({ content: '{"name": "other", ', calls: [call] });
  });

  it("is let out as soon as it cannot be a call", () => {
    const parser = createToolCallParser({ tools });
    expect(parser.push('See {"na')).toEqual([{ type: "text", text: "See " }]);
    expect(parser.push('me": "x"')).toEqual([{ type: "text", text: '{"name": "x"' }]);
    expect(parser.push(', "y": [1,')).toEqual([{ type: "text", text: ', "y": [1,' }]);
  });
});

describe("text", () => {
  it.each([
    "Use the `<tool_call>` tag.",
    "The <|channel|> token begins a header.",
    "Write [TOOL_CALLS] and then the name.",
    "[a link](https://example.com) and a list: [1, 2]",
    "a <think> in the middle",
    "```\nplain code { }\n```",
    "<function> and <parameter> are words",
  ])("may speak of markers: %s", (text) => {
    expect(parseToolCalls(text, { tools })).toMatchObject({ content: text, thinking: "", calls: [] });
  });

  it("flows at once unless a marker may begin", () => {
    const parser = createToolCallParser({ tools });
    expect(parser.push("Hello")).toEqual([{ type: "text", text: "Hello" }]);
    expect(parser.push(", wor")).toEqual([{ type: "text", text: ", wor" }]);
    expect(parser.push("ld <tool")).toEqual([{ type: "text", text: "ld " }]);
    expect(parser.push("box>")).toEqual([{ type: "text", text: "<toolbox>" }]);
    expect(parser.push(" <tool_c")).toEqual([{ type: "text", text: " " }]);
    expect(parser.end()).toEqual([{ type: "text", text: "<tool_c" }]);
  });
});

describe("thinking", () => {
  it("is separated, also when the prompt opened it", () => {
    expect(parseToolCalls("<think>why</think>so")).toMatchObject({ thinking: "why", content: "so" });
    expect(parseToolCalls("why</think>so", { start: "thinking" })).toMatchObject({
      thinking: "why",
      content: "so",
    });
    expect(parseToolCalls("[THINK]why[/THINK]so")).toMatchObject({ thinking: "why", content: "so" });
  });

  it("stays in the text, marks and all, where that is asked for", () => {
    const text = "<think>why</think>so";
    expect(parseToolCalls(text, { thinking: "inline" })).toMatchObject({ thinking: "", content: text });
  });

  it("keeps a call that it only quotes, and ends with one that is meant", () => {
    const written = `<tool_call>${JSON.stringify(call)}</tool_call>`;
    const quoted = `<think>I could ${written} here</think>`;
    expect(parseToolCalls(`${quoted}No.`, { tools })).toMatchObject({
      thinking: `I could ${written} here`,
      content: "No.",
      calls: [],
    });
    expect(parseToolCalls(`<think>I must ${written}`, { tools })).toMatchObject({
      thinking: "I must ",
      content: "",
      calls: [call],
    });
  });

  it("may be marked in one's own way", () => {
    const options = { thinkingMarks: { open: "(thinks)", close: "(speaks)" } };
    expect(parseToolCalls("(thinks)why(speaks)so", options)).toMatchObject({
      thinking: "why",
      content: "so",
    });
  });
});

describe("values written without a type", () => {
  const text = (value: string) =>
    `<tool_call>\n<function=read_file>\n<parameter=path>\n1\n</parameter>\n<parameter=line>\n${value}\n</parameter>\n</function>\n</tool_call>`;

  it("are what the tool's schema says", () => {
    const [found] = parseToolCalls(text("2"), { format: "qwen3-xml", tools }).calls;
    expect(found?.arguments).toEqual({ path: "1", line: 2 });
  });

  it("are strings without a schema, or where they do not fit it", () => {
    expect(parseToolCalls(text("2"), { format: "qwen3-xml" }).calls[0]?.arguments).toEqual({
      path: "1",
      line: "2",
    });
    expect(parseToolCalls(text("two"), { format: "qwen3-xml", tools }).calls[0]?.arguments).toMatchObject({
      line: "two",
    });
  });

  it("may hold the text of their own end tag", () => {
    const value = "<b></parameter></b>";
    expect(parseToolCalls(text(value), { format: "qwen3-xml", tools }).calls[0]?.arguments).toMatchObject({
      line: value,
    });
  });
});

describe("one malformed call", () => {
  it.each([
    ["hermes", `<tool_call>{bad</tool_call><tool_call>${JSON.stringify(call)}</tool_call>`],
    [
      "hermes",
      `<tool_call>{"name": "read_file", "arguments": {"path": "a</tool_call><tool_call>${JSON.stringify(call)}</tool_call>`,
    ],
    ["mistral-array", `[TOOL_CALLS][{"name": 15:30}, ${JSON.stringify(call)}]`],
    ["mistral-args", '[TOOL_CALLS]read_file[ARGS]{"path": [TOOL_CALLS]read_file[ARGS]{"path": "a.ts"}'],
    ["lfm2", "<|tool_call_start|>[list(a=b), read_file(path='a.ts')]<|tool_call_end|>"],
    [
      "kimi-k2",
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.list:0<|tool_call_argument_begin|>{x<|tool_call_end|><|tool_call_begin|>functions.read_file:1<|tool_call_argument_begin|>{"path": "a.ts"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      "gemma4",
      '<|tool_call>call:list{a:<|"|>x}<tool_call|><|tool_call>call:read_file{path:<|"|>a.ts<|"|>}<tool_call|>',
    ],
  ])("does not take the next one with it: %s", (format, text) => {
    const { calls } = parseToolCalls(text, { format, tools });
    expect(calls.at(-1)).toMatchObject({ name: "read_file", arguments: { path: "a.ts" } });
  });
});
