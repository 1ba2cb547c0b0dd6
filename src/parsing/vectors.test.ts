import { existsSync, readdirSync, readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import type { ToolDefinition } from "../model/model-request.ts";
import type { ParsedCall, ParsedText, ParserEvent } from "./parser-event.ts";
import { createToolCallParser, type ParserOptions, parseToolCalls } from "./tool-call-parser.ts";
import { typedValue } from "./typed-value.ts";

const folder = new URL("../../../shared/fixtures/tool-call-vectors/", import.meta.url);
const present = existsSync(folder);

type ExpectedCall = {
  readonly name: string | null;
  readonly arguments: JsonObject | null;
  readonly arguments_subset?: JsonObject;
  readonly id?: string;
};
type Expected = {
  readonly content?: string | null;
  readonly thinking?: string | null;
  readonly calls?: readonly ExpectedCall[];
};
type Vector = {
  readonly id: string;
  readonly format: string;
  readonly input: string;
  readonly expected?: Expected;
  readonly tools?: readonly { readonly function: JsonObject }[];
  readonly initial?: "content" | "thinking";
  readonly stage?: "full" | "tools" | "reasoning";
  readonly options?: { readonly extract_thinking?: boolean; readonly parse_tool_calls?: boolean };
  readonly flags?: readonly string[];
  readonly quality?: string;
};

const groups: readonly (readonly string[])[] = [
  ["fenced-tool-call", "inline-json", "hermes", "think"],
  ["qwen3-xml", "harmony"],
  ["gemma4", "glm", "mistral-args", "mistral-array", "llama3-json", "llama4-pythonic", "pythonic", "lfm2"],
  ["deepseek-dsml", "deepseek-v31", "deepseek-v3", "kimi-k2", "minimax-m2"],
];

/** What no choice of ours can make true, by the reason. A vector that comes to pass must leave this list. */
const failing: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "the same input has the opposite expectation elsewhere: text after a call is kept, not dropped": [
      "vllm-deepseek-v31-002",
      "sglang-gemma4-002",
      "vllm-hunyuan-a13b-005",
      "vllm-minicpm5-002",
      "vllm-minicpm5-012",
    ],
    "values without a schema: llama.cpp reads them as JSON, others as strings, with the same input": [
      "ollama-glm-036",
      "ollama-glm-037",
      "vllm-minimax-m2-004",
      "vllm-gemma4-040",
      "vllm-gemma4-041",
      "vllm-gemma4-042",
      "vllm-gemma4-043",
    ],
    "an unfinished call is reported, never completed by guess": [
      "vllm-gemma4-008",
      "vllm-apertus-007",
      "vllm-inkling-018",
    ],
    "unclosed thinking at the end is thinking; streaming cannot take it back": [
      "sglang-think-029",
      "sglang-think-054",
      "vllm-ling3-003",
      "sglang-think-apertus-002",
      "sglang-minimax-m3-023",
      "sglang-think-026",
      "llamacpp_old-deepseek-v31-007",
    ],
    "the state before the text was another than the vector's `initial` says": [
      "ollama-think-008",
      "ollama-deepseek-v3-012",
      "ollama-deepseek-v31-037",
      "sglang-think-053",
      "vllm-think-040",
    ],
    "upstream had thinking or calls switched off for this test": [
      "ollama-gemma4-029",
      "ollama-laguna-015",
      "ollama-laguna-016",
      "ollama-deepseek-v3-024",
      "vllm-inkling-024",
      "vllm-qwen3-xml-047",
      "vllm-deepseek-dsml-046",
    ],
    "upstream made its parser fail on purpose": [
      "sglang-deepseek-dsml-001",
      "sglang-kimi-k2-011",
      "sglang-inkling-015",
    ],
    "the expected text holds the prompt's own opening of the thinking": [
      "llamacpp-qwen3-xml-002",
      "llamacpp-qwen3-xml-023",
      "llamacpp-cohere-r7b-007",
      "llamacpp-apriel-004",
      "llamacpp_old-cohere-r7b-004",
    ],
    "needs token ids": ["vllm-qwen3-xml-048"],
    "marked as a conflict: an opener after text is text": ["sglang-think-047", "sglang-think-050"],
    "a tool's name is taken as written, not guessed from similar ones": [
      "ollama-laguna-007",
      "vllm-minicpm5-024",
      "vllm-minicpm5-025",
    ],
    "two equal calls are two calls": ["ollama-laguna-008"],
    "a call without a name is none": ["sglang-inkling-003"],
    "text for a tool is text, as in vLLM's vectors": ["sglang-inkling-011"],
    "without tools, a recipient cannot be checked": ["ollama-muse-glimmer-007"],
    "a call without its section is still one": ["vllm-step3-009"],
    "escapes in Python strings are read, as in llama.cpp's vectors": ["ollama-lfm2-055"],
    "white space between the pieces of text is kept as written": [
      "llamacpp_old-glm-011",
      "derived-fenced-tool-call-034",
    ],
  }).flatMap(([reason, ids]) => ids.map((id) => [id, reason] as const)),
);

function readLines<T>(path: string): T[] {
  const text = readFileSync(new URL(path, folder), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

function filesIn(path: string): string[] {
  return readdirSync(new URL(path, folder))
    .filter((name) => name.endsWith(".jsonl"))
    .map((name) => path + name);
}

function optionsOf(vector: Vector): ParserOptions {
  const leavesThinking = vector.stage === "tools" || vector.options?.extract_thinking === false;
  const leavesCalls = vector.stage === "reasoning" || vector.options?.parse_tool_calls === false;
  return {
    format: vector.format,
    tools: vector.tools?.map(toolDefinition),
    start: vector.initial,
    thinking: leavesThinking ? "inline" : "separate",
    calls: leavesCalls ? "leave" : "read",
    thinkingMarks:
      vector.format === "think-custom" ? { open: "<test:think>", close: "</test:think>" } : undefined,
  };
}

function toolDefinition({ function: declared }: { readonly function: JsonObject }): ToolDefinition {
  const schema = declared.parameters;
  return { name: String(declared.name), description: "", inputSchema: isJsonObject(schema) ? schema : {} };
}

/** What of the expectation is not met. What upstream did not assert is not compared; white space around is nobody's. */
function differences(vector: Vector, got: ParsedText): string[] {
  const expected = vector.expected ?? {};
  const wrong: string[] = [];
  if (expected.content !== undefined && (expected.content ?? "").trim() !== got.content.trim())
    wrong.push("content");
  if (expected.thinking !== undefined && (expected.thinking ?? "").trim() !== got.thinking.trim())
    wrong.push("thinking");
  const { calls } = expected;
  if (
    calls &&
    (calls.length !== got.calls.length || calls.some((call, i) => !sameCall(call, got.calls[i])))
  ) {
    wrong.push("calls");
  }
  return wrong;
}

function sameCall(expected: ExpectedCall, got: ParsedCall | undefined): boolean {
  if (!got) return false;
  if (expected.name !== null && expected.name !== got.name) return false;
  if (expected.id !== undefined && expected.id !== got.id) return false;
  if (expected.arguments !== null && !isDeepStrictEqual(expected.arguments, got.arguments)) return false;
  const subset = Object.entries(expected.arguments_subset ?? {});
  return subset.every(([key, value]) => isDeepStrictEqual(value, got.arguments[key]));
}

const vectors = present
  ? [...filesIn("./"), ...filesIn("derived/")]
      .flatMap((path) => readLines<Vector>(path))
      .filter((vector) => vector.input !== undefined && vector.expected !== undefined)
  : [];

describe.skipIf(!present)("the collected vectors (skipped where ../shared is absent)", () => {
  const byFormat = Map.groupBy(vectors, (vector) => vector.format);
  for (const [format, list] of byFormat) {
    it(`reads ${list.length} of ${format} as expected, save those listed`, () => {
      const unexpected = list.flatMap((vector) => {
        const wrong = differences(vector, parseToolCalls(vector.input, optionsOf(vector)));
        const listed = failing.has(vector.id);
        if (wrong.length > 0 && !listed) return [`${vector.id}: wrong ${wrong.join(", ")}`];
        return wrong.length === 0 && listed ? [`${vector.id} passes now: take it off the list`] : [];
      });
      expect(unexpected).toEqual([]);
    });
  }

  it("lists only vectors that exist", () => {
    const ids = new Set(vectors.map((vector) => vector.id));
    expect([...failing.keys()].filter((id) => !ids.has(id))).toEqual([]);
  });

  it("meets its goals: 95 % of all, and of the formats that matter most all that can be met", () => {
    const share = (list: readonly Vector[]) => list.filter(({ id }) => !failing.has(id)).length / list.length;
    expect(share(vectors)).toBeGreaterThan(0.95);
    for (const formats of groups) {
      expect(share(vectors.filter(({ format }) => formats.includes(format)))).toBeGreaterThan(0.95);
    }
  });

  it("gives the same events wherever the text is cut", () => {
    const different = vectors.flatMap((vector) => {
      const options = optionsOf(vector);
      const whole = eventsOf([vector.input], options);
      const cuts = [1, 2, 3, 5, 7, 11].map((length) => pieces(vector.input, length));
      return cuts.some((cut) => !isDeepStrictEqual(eventsOf(cut, options), whole)) ? [vector.id] : [];
    });
    expect(different).toEqual([]);
  });

  it("gives the same events without a format wherever the text is cut", () => {
    const different = vectors.flatMap((vector) => {
      const options = { ...optionsOf(vector), format: undefined };
      const whole = eventsOf([vector.input], options);
      return isDeepStrictEqual(eventsOf(pieces(vector.input, 1), options), whole) ? [] : [vector.id];
    });
    expect(different).toEqual([]);
  });

  it("never takes back what it said in the middle of a stream", () => {
    const partial = filesIn("partial/").flatMap((path) => readLines<Vector>(path));
    expect(partial.length).toBeGreaterThan(100);
    for (const vector of partial) {
      const options = optionsOf(vector);
      const final = parseToolCalls(vector.input, options);
      const parser = createToolCallParser(options);
      const said = { content: "", thinking: "", calls: 0 };
      for (const piece of pieces(vector.input, 1)) {
        for (const event of parser.push(piece)) {
          if (event.type === "text") said.content += event.text;
          if (event.type === "thinking") said.thinking += event.text;
          if (event.type === "call") expect(event.call).toEqual(final.calls[said.calls++]);
        }
        expect(final.content.startsWith(said.content)).toBe(true);
        expect(final.thinking.startsWith(said.thinking)).toBe(true);
      }
    }
  });

  it("survives what is only meant not to throw", () => {
    const robust = readLines<Vector>("vllm-robustness.jsonl");
    for (const vector of robust)
      expect(() => parseToolCalls(vector.input, { format: vector.format })).not.toThrow();
    expect(robust.length).toBeGreaterThan(0);
  });

  it("types untyped values by their schema", () => {
    type Coercion = {
      readonly id: string;
      readonly raw: string;
      readonly type: string[] | null;
      readonly want: JsonValue;
    };
    const wrong = readLines<Coercion>("ollama-value-coercion.jsonl").flatMap(({ id, raw, type, want }) => {
      const inputSchema = { type: "object", properties: type ? { k: { type } } : {} };
      const text = `<function=f><parameter=k>${raw}</parameter></function>`;
      const tools = [{ name: "f", description: "", inputSchema }];
      const [call] = parseToolCalls(text, { format: "qwen3-xml", tools }).calls;
      return isDeepStrictEqual(call?.arguments.k, want)
        ? []
        : [`${id}: ${JSON.stringify(call?.arguments.k)}`];
    });
    expect(wrong).toEqual([]);
    expect(typedValue("1", { type: "integer" })).toBe(1);
  });
});

function pieces(text: string, length: number): string[] {
  const list: string[] = [];
  for (let i = 0; i < text.length; i += length) list.push(text.slice(i, i + length));
  return list;
}

/** The events with neighbouring deltas joined: how text is cut into deltas follows how it came. */
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
