/** How fast text tool calls are read, token by token. Run: node bench/parsing.ts */
import { createToolCallParser, type ParserOptions } from "../src/parsing/tool-call-parser.ts";

const tokenLength = 4;
const textLength = 8_000_000;
const runs = 3;

const tools = [
  {
    name: "write_file",
    description: "Writes a file.",
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, content: { type: "string" }, mode: { type: "integer" } },
    },
  },
];

const prose = `The parser reads each token once. It keeps nothing that it can let go, and so a long answer
costs no more per word than a short one (see the notes, section 3). Ünïcödé and 日本語 pass through as well.

`;
const code =
  "export function add(a: number, b: number): number {\n  return a + b;\n}\n\nif (a < b) console.log(`x`);\n";
const source = "const answer = 42;\nconsole.log(`the answer is`, answer, { deep: [1, 2, 3] });\n".repeat(12);
const args = { path: "src/answer.ts", content: source, mode: 420 };

const jsonCall = `<tool_call>\n${JSON.stringify({ name: "write_file", arguments: args })}\n</tool_call>\n`;
const fencedCall = `\`\`\`tool_call\n${JSON.stringify({ tool: "write_file", parameters: args })}\n\`\`\`\n`;
const bareCall = `${JSON.stringify({ name: "write_file", arguments: args })}\n`;
const qwenCall = `<tool_call>\n<function=write_file>\n<parameter=path>\n${args.path}\n</parameter>\n<parameter=content>\n${source}\n</parameter>\n</function>\n</tool_call>\n`;
const harmonyCall = `<|start|>assistant<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>${JSON.stringify(args)}<|call|>`;
const gemmaCall = `<|tool_call>call:write_file{path:<|"|>${args.path}<|"|>,content:<|"|>${source}<|"|>,mode:420}<tool_call|>`;
const pythonCall = `<|tool_call_start|>[write_file(path='src/answer.ts', content=${JSON.stringify(source)}, mode=420)]<|tool_call_end|>`;

type Case = {
  readonly name: string;
  readonly text: string;
  readonly options: ParserOptions;
  readonly goal: number;
};

const cases: readonly Case[] = [
  { name: "prose, detection", text: prose, options: { tools }, goal: 50 },
  { name: "prose, hermes", text: prose, options: { tools, format: "hermes" }, goal: 50 },
  { name: "prose, harmony", text: prose, options: { tools, format: "harmony" }, goal: 50 },
  {
    name: "thinking, qwen3-xml",
    text: prose,
    options: { tools, format: "qwen3-xml", start: "thinking" },
    goal: 50,
  },
  { name: "code in prose, detection", text: prose + code, options: { tools }, goal: 20 },
  { name: "calls: fenced, detection", text: fencedCall, options: { tools }, goal: 20 },
  { name: "calls: <tool_call> JSON, detection", text: jsonCall, options: { tools }, goal: 20 },
  { name: "calls: <tool_call> JSON, hermes", text: jsonCall, options: { tools, format: "hermes" }, goal: 20 },
  { name: "calls: unmarked JSON", text: bareCall, options: { tools }, goal: 20 },
  { name: "calls: qwen3-xml", text: qwenCall, options: { tools, format: "qwen3-xml" }, goal: 20 },
  { name: "calls: harmony", text: harmonyCall, options: { tools, format: "harmony" }, goal: 20 },
  { name: "calls: gemma4", text: gemmaCall, options: { tools, format: "gemma4" }, goal: 20 },
  { name: "calls: lfm2", text: pythonCall, options: { tools, format: "lfm2" }, goal: 20 },
];

function tokens(text: string): readonly string[] {
  const whole = text.repeat(Math.ceil(textLength / text.length));
  const list: string[] = [];
  for (let i = 0; i < whole.length; i += tokenLength) list.push(whole.slice(i, i + tokenLength));
  return list;
}

function measure({ text, options }: Case): { readonly speed: number; readonly calls: number } {
  const list = tokens(text);
  const characters = list.length * tokenLength;
  let best = 0;
  let calls = 0;
  for (let run = 0; run < runs; run++) {
    const parser = createToolCallParser(options);
    calls = 0;
    const started = performance.now();
    for (const token of list) {
      for (const event of parser.push(token)) if (event.type === "call") calls++;
    }
    for (const event of parser.end()) if (event.type === "call") calls++;
    best = Math.max(best, characters / 1e3 / (performance.now() - started));
  }
  return { speed: best, calls };
}

const write = (line: string) => process.stdout.write(`${line}\n`);
write(`${"case".padEnd(38)}${"MB/s".padStart(8)}${"goal".padStart(7)}${"calls".padStart(8)}`);
let missed = 0;
for (const each of cases) {
  const { speed, calls } = measure(each);
  if (speed < each.goal) missed++;
  const mark = speed < each.goal ? "  below" : "";
  write(
    `${each.name.padEnd(38)}${speed.toFixed(1).padStart(8)}${String(each.goal).padStart(7)}${String(calls).padStart(8)}${mark}`,
  );
}
process.exitCode = missed > 0 ? 1 : 0;
