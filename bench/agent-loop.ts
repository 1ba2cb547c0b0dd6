/** What the agent's loop costs by itself: a model and tools that answer at once. Run: `node bench/agent-loop.ts`. */
import * as z from "zod/mini";
import { Agent } from "../src/agent/agent.ts";
import { type Message, userMessage } from "../src/model/message.ts";
import type { ModelEvent } from "../src/model/model-event.ts";
import type { ModelProvider } from "../src/model/stream-model.ts";
import { noUsage } from "../src/model/usage.ts";
import { functionPolicy } from "../src/policy/function-policy.ts";
import { defineTool } from "../src/tools/define-tool.ts";
import { ToolRegistry } from "../src/tools/tool-registry.ts";
import { succeeded } from "../src/tools/tool-result.ts";

type Row = {
  readonly what: string;
  readonly count: number;
  readonly milliseconds: number;
  readonly each: string;
};

const policy = functionPolicy(() => ({ answer: "allow", reason: "bench", source: "user" }));
const tool = defineTool({
  id: "peek",
  name: "Peek",
  description: "Returns at once.",
  category: "search",
  risk: "safe",
  readOnly: true,
  input: z.strictObject({ path: z.string() }),
  execute: async ({ path }) => succeeded(`seen ${path}`),
});

/** Answers each request with what `answer` gives, without waiting. */
function instantProvider(answer: (turn: number) => Iterable<ModelEvent>): ModelProvider {
  let turn = 0;
  return {
    name: "instant",
    async *stream() {
      yield* answer(turn);
      turn += 1;
    },
  };
}

function agentWith(provider: ModelProvider): Agent {
  return new Agent({ model: { provider, id: "instant" }, policy, tools: new ToolRegistry([tool]) });
}

async function timeRun(
  agent: Agent,
  history: readonly Message[] = [],
): Promise<{ milliseconds: number; setup: number; events: number }> {
  const start = performance.now();
  let setup = 0;
  let events = 0;
  const run = agent.run({ message: "go", conversationId: "bench", requestId: "bench", history });
  for await (const event of run) {
    events += 1;
    if (event.type === "agent_iteration" && event.iterationNumber === 1) setup = performance.now() - start;
  }
  return { milliseconds: performance.now() - start, setup, events };
}

function done(reason: "stop" | "tool_calls"): ModelEvent {
  return { type: "response_completed", reason, usage: noUsage };
}

function call(id: string): ModelEvent {
  return { type: "tool_call_ready", call: { id, name: "peek", arguments: { path: id } } };
}

/** `callsPerTurn` calls in each of `turns` answers, then a word. */
function* callingAnswer(turn: number, turns: number, callsPerTurn: number): Iterable<ModelEvent> {
  if (turn >= turns) {
    yield { type: "text_delta", text: "done" };
    yield done("stop");
    return;
  }
  for (let index = 0; index < callsPerTurn; index += 1) yield call(`t${turn}c${index}`);
  yield done("tool_calls");
}

async function toolCalls(): Promise<Row> {
  const turns = 99;
  const { milliseconds } = await timeRun(agentWith(instantProvider((turn) => callingAnswer(turn, turns, 2))));
  return row(`${turns} iterations, ${turns * 2} instant tool calls`, turns, milliseconds, "iteration");
}

/** The same work behind histories of different lengths, without what is done once for a request. */
async function turnsAfter(before: number): Promise<Row> {
  const turns = 50;
  const agent = agentWith(instantProvider((turn) => callingAnswer(turn, turns, 1)));
  const { milliseconds, setup } = await timeRun(agent, historyOf(before));
  return row(`${turns} turns after ${before} turns of history`, turns, milliseconds - setup, "turn");
}

function historyOf(turns: number): readonly Message[] {
  return Array.from({ length: turns }, (_, index): Message[] => {
    const id = `h${index}`;
    const call = { id, name: "peek", arguments: { path: id } };
    return [
      userMessage(`look at ${id}`),
      { role: "assistant", content: [{ type: "tool_call", call }] },
      {
        role: "tool",
        callId: id,
        toolName: "peek",
        content: [{ type: "text", text: "seen" }],
        isError: false,
      },
    ];
  }).flat();
}

/** What is left when the history is long: the list of messages that every request to a model needs. */
async function listsOnly(before: number): Promise<Row> {
  const turns = 50;
  const history = historyOf(before);
  const start = performance.now();
  for (let turn = 0; turn < turns; turn += 1) if ([...history, ...history.slice(0, turn)].length === 0) break;
  return row(`${turns} lists of ${before} turns`, turns, performance.now() - start, "list");
}

async function deltas(count: number): Promise<Row> {
  const provider = instantProvider(function* () {
    for (let index = 0; index < count; index += 1) yield { type: "text_delta", text: "word " };
    yield done("stop");
  });
  const { milliseconds, events } = await timeRun(agentWith(provider));
  return row(`${count} deltas, ${events} events`, count, milliseconds, "delta");
}

/** What the stream of the model costs before the loop sees it. */
async function bareDeltas(count: number): Promise<Row> {
  const provider = instantProvider(function* () {
    for (let index = 0; index < count; index += 1) yield { type: "text_delta", text: "word " };
    yield done("stop");
  });
  const start = performance.now();
  for await (const _event of provider.stream({ model: "m", messages: [] }, new AbortController().signal));
  return row(`${count} deltas, the bare stream`, count, performance.now() - start, "delta");
}

function row(what: string, count: number, milliseconds: number, unit: string): Row {
  const each = `${((milliseconds * 1_000) / count).toFixed(2)} µs a ${unit}`;
  return { what, count, milliseconds: Math.round(milliseconds * 100) / 100, each };
}

/** The best of several: the machine is shared. */
async function best(measure: () => Promise<Row>): Promise<Row> {
  const rows: Row[] = [];
  for (let round = 0; round < 7; round += 1) rows.push(await measure());
  const [first] = rows.toSorted((a, b) => a.milliseconds - b.milliseconds);
  if (!first) throw new Error("Nothing was measured.");
  return first;
}

const rows = [
  await best(toolCalls),
  await best(() => turnsAfter(10)),
  await best(() => turnsAfter(100)),
  await best(() => turnsAfter(1_000)),
  await best(() => listsOnly(1_000)),
  await best(() => bareDeltas(20_000)),
  await best(() => deltas(20_000)),
];
const width = Math.max(...rows.map(({ what }) => what.length));
for (const { what, milliseconds, each } of rows) {
  process.stdout.write(`${what.padEnd(width)}  ${milliseconds.toFixed(2).padStart(9)} ms  ${each}\n`);
}
