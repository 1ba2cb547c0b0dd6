import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatNamed, formatNames } from "./formats/catalogue.ts";
import type { ParserEvent } from "./parser-event.ts";
import { createToolCallParser, type ParserOptions, parseToolCalls } from "./tool-call-parser.ts";

const tools = [
  {
    name: "f",
    description: "",
    inputSchema: { type: "object", properties: { a: { type: "string" }, b: { type: "integer" } } },
  },
];

const openers = [
  ...new Set(formatNames.flatMap((name) => formatNamed(name).calls.map((marker) => marker.text))),
];
const fragments = fc.oneof(
  fc.constantFrom(...openers),
  fc.constantFrom(
    ...[
      '{"name":"f","arguments":{"a":"x"}}',
      '{"name": "f", "arguments": {',
      "f(a='x')",
      '"',
      "'",
      "\\",
      "{",
      "}",
    ],
    ...["[", "]", "<", ">", "(", ")", ",", ";", ":", "\n", " ", "```", "</tool_call>", "<parameter=a>"],
    ...["</parameter>", "</function>", "<think>", "</think>", "[ARGS]", "analysis", "<|message|>", "<|end|>"],
    ...[
      "to=functions.f",
      "<arg_key>a</arg_key>",
      "<arg_value>",
      "</arg_value>",
      "call:f{",
      '<|"|>',
      "<tool_call|>",
    ],
  ),
  fc.string({ maxLength: 6 }),
);
const anyText = fc.array(fragments, { maxLength: 14 }).map((parts) => parts.join(""));
const anyOptions: fc.Arbitrary<ParserOptions> = fc.record(
  {
    format: fc.constantFrom(...formatNames),
    tools: fc.constant(tools),
    start: fc.constantFrom("content" as const, "thinking" as const),
    thinking: fc.constantFrom("separate" as const, "inline" as const),
    calls: fc.constantFrom("read" as const, "leave" as const),
  },
  { requiredKeys: [] },
);
const cutPoints = fc.array(fc.nat(40), { maxLength: 30 });

/** Cuts text into pieces of these lengths, and of one character after that. */
function cut(text: string, lengths: readonly number[]): string[] {
  const list: string[] = [];
  for (let i = 0, n = 0; i < text.length; n++) {
    const length = lengths[n] ?? 1;
    list.push(text.slice(i, i + length));
    i += length;
  }
  return list;
}

function eventsOf(chunks: readonly string[], options: ParserOptions): ParserEvent[] {
  const parser = createToolCallParser(options);
  const joined: ParserEvent[] = [];
  for (const event of [...chunks.flatMap((chunk) => parser.push(chunk)), ...parser.end()]) {
    const last = joined.at(-1);
    if (last && (event.type === "text" || event.type === "thinking") && last.type === event.type) {
      joined[joined.length - 1] = { type: event.type, text: last.text + event.text };
    } else joined.push(event);
  }
  return joined;
}

describe("whatever the text", () => {
  it("gives the same events wherever it is cut", () => {
    fc.assert(
      fc.property(anyText, cutPoints, anyOptions, (text, lengths, options) => {
        expect(eventsOf(cut(text, lengths), options)).toEqual(eventsOf([text], options));
      }),
      { numRuns: 3000 },
    );
  });

  it("reports every call that was begun exactly once more, by its index", () => {
    fc.assert(
      fc.property(anyText, anyOptions, (text, options) => {
        const events = eventsOf([text], options);
        const started = events.flatMap((event) => (event.type === "call_started" ? [event.index] : []));
        const ended = events.flatMap((event) =>
          "index" in event && event.type !== "call_started" ? [event.index] : [],
        );
        expect(new Set(ended).size).toBe(ended.length);
        expect(started.filter((index) => !ended.includes(index))).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("loses and gains nothing where no call is in it", () => {
    const characters = fc.constantFrom(..."ab \"<>{}[]()|`/_=:,;\\\n\t'é日😀");
    const plain = fc.array(characters, { maxLength: 60 }).map((list) => list.join(""));
    fc.assert(
      fc.property(plain, cutPoints, fc.constantFrom(tools, undefined), (text, lengths, given) => {
        const events = eventsOf(cut(text, lengths), { tools: given });
        expect(events).toEqual(text === "" ? [] : [{ type: "text", text }]);
      }),
      { numRuns: 3000 },
    );
  });

  it("holds back nothing that no marker can begin with", () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z .,!?é日\n]+$/), { minLength: 1 }), (chunks) => {
        const parser = createToolCallParser({ tools });
        for (const chunk of chunks) expect(parser.push(chunk)).toEqual([{ type: "text", text: chunk }]);
        expect(parser.end()).toEqual([]);
      }),
    );
  });
});

describe("a call written in a format", () => {
  const awkward = fc.constantFrom(
    "</tool_call>",
    "```",
    "}}",
    '"',
    "\\",
    "<|call|>",
    "[TOOL_CALLS]",
    "<|tool_call_end|>",
    "\n",
    "{",
  );
  const argument = fc.oneof(
    awkward,
    fc.string(),
    fc.array(awkward, { maxLength: 4 }).map((list) => list.join("x")),
  );
  const anyArguments = fc.record({ a: argument, list: fc.jsonValue({ maxDepth: 2 }) });

  type Writer = (args: object) => string;
  const writers: Readonly<Record<string, Writer>> = {
    "fenced-tool-call": (args) =>
      `\`\`\`tool_call\n${JSON.stringify({ tool: "f", parameters: args })}\n\`\`\``,
    "inline-json": (args) => JSON.stringify({ name: "f", arguments: args }),
    hermes: (args) => `<tool_call>\n${JSON.stringify({ arguments: args, name: "f" })}\n</tool_call>`,
    "mistral-args": (args) => `[TOOL_CALLS]f[ARGS]${JSON.stringify(args)}`,
    "mistral-array": (args) => `[TOOL_CALLS] [${JSON.stringify({ name: "f", arguments: args })}]`,
    "llama3-json": (args) => `<|python_tag|>${JSON.stringify({ name: "f", parameters: args })}`,
    harmony: (args) =>
      `<|channel|>commentary to=functions.f <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`,
    "kimi-k2": (args) =>
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>${JSON.stringify(args)}<|tool_call_end|><|tool_calls_section_end|>`,
    "deepseek-v31": (args) =>
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>f<｜tool▁sep｜>${JSON.stringify(args)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    "cohere-r7b": (args) =>
      `<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "f", "parameters": ${JSON.stringify(args)}}]<|END_ACTION|>`,
  };

  it.each(Object.keys(writers))("is read once and whole, wherever it is cut: %s", (format) => {
    const write = writers[format] ?? JSON.stringify;
    fc.assert(
      fc.property(anyArguments, cutPoints, fc.boolean(), (args, lengths, detected) => {
        const text = `Before. ${write(args)}`;
        const events = eventsOf(cut(text, lengths), { tools, format: detected ? undefined : format });
        const calls = events.flatMap((event) => (event.type === "call" ? [event.call] : []));
        expect(calls.map((call) => [call.name, JSON.stringify(call.arguments)])).toEqual([
          ["f", JSON.stringify(args)],
        ]);
        expect(events[0]).toEqual({ type: "text", text: "Before. " });
      }),
      { numRuns: 150 },
    );
  });

  it.each(Object.keys(writers))(
    "is reported, not given, when the input ends inside its arguments: %s",
    (format) => {
      const text = writers[format]?.({ a: "x}y", list: [1, { b: 2 }] }) ?? "";
      const last = text.lastIndexOf("2");
      for (let end = text.indexOf('"a"'); end <= last; end++) {
        const { calls, incomplete } = parseToolCalls(text.slice(0, end), { tools, format });
        expect(calls).toEqual([]);
        expect(incomplete?.text ?? "").toContain(text.slice(text.indexOf('"a"'), end));
      }
    },
  );
});

describe("hostile text", () => {
  const size = 1_000_000;
  const fill = (unit: string, length = size) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  // Linear reading takes a fraction of a second; what is quadratic takes minutes.
  const limitMs = 5000;

  function timed(text: string, step: number, options: ParserOptions): number {
    const started = performance.now();
    const parser = createToolCallParser(options);
    for (let i = 0; i < text.length; i += step) parser.push(text.slice(i, i + step));
    parser.end();
    return performance.now() - started;
  }

  it.each([
    ["opening braces", fill("{")],
    ["objects never closed", fill('{"a":')],
    ["calls never closed", fill('{"name":"f","arguments":')],
    ["lists of calls never closed", fill("[f(a=[")],
    ["angle brackets", fill("<")],
    ["fences", fill("```\n")],
    ["fences with a brace", fill("```tool_call\n{")],
    ["tags never closed", fill("<tool_call>")],
    ["tags and quotes", fill('<tool_call>{"</tool_call>"')],
    ["tags and escaped quotes", fill('<tool_call>{\\"</tool_call>')],
    ["parameters never closed", fill("<function=f><parameter=a>")],
    ["parameters without a name's end", `<function=f><parameter=a>${fill("<parameter=")}`],
    ["end tags inside a value", `<function=f><parameter=a>${fill("</parameter> x")}`],
    ["thinking markers", fill("<think></think>")],
    ["calls in thinking", `<think>${fill('<tool_call>{"name":"f","arguments":{}}</tool_call>')}`],
    [
      "broken calls in thinking",
      `<think><tool_call>{"name":"f","arguments":{}}</tool_call>${fill("<tool_call>{x}")}`,
    ],
    ["almost a marker", fill("<tool_cal")],
    ["almost another", fill("<|tool_call_star")],
    [
      "deep nesting",
      `<tool_call>{'name':'f','arguments':{'a':${"[".repeat(size / 2)}${"]".repeat(size / 2)}}}</tool_call>`,
    ],
    ["a number that is none", `<function=f><parameter=b>${fill("1")}x</parameter></function>`],
    ["one long call", `<tool_call>{"name":"f","arguments":{"a":"${fill("x\\n")}"}}</tool_call>`],
  ])("is read in linear time: %s", { timeout: 30_000 }, (_, text) => {
    expect(timed(text, text.length, { tools })).toBeLessThan(limitMs);
    expect(timed(text, 4, { tools })).toBeLessThan(limitMs);
  });

  it.each(formatNames)("is read in linear time in every format: %s", { timeout: 60_000 }, (format) => {
    const own = formatNamed(format)
      .calls.slice(0, 3)
      .map((marker) => marker.text);
    const units = [
      "{",
      '{"a":',
      "<",
      ...own,
      ...own.map((text) => `${text}{"`),
      ...own.map((text) => `${text}f`),
    ];
    for (const unit of units) {
      expect(timed(fill(unit, 100_000), 100_000, { format, tools })).toBeLessThan(limitMs / 2);
    }
  });
});
