import { expect } from "vitest";
import type { JsonObject } from "../../model/json.ts";
import type { Message } from "../../model/message.ts";
import type { ModelEvent, StopReason } from "../../model/model-event.ts";
import { noUsage } from "../../model/usage.ts";
import { functionPolicy } from "../../policy/function-policy.ts";
import { createScriptedProvider, type Script } from "../../providers/scripted/scripted-provider.ts";
import type { Tool } from "../../tools/tool.ts";
import { ToolRegistry } from "../../tools/tool-registry.ts";
import { Agent, type AgentOptions } from "../agent.ts";
import type { AgentEvent, AgentEventOf, AgentEventType } from "../agent-event.ts";
import type { AgentRequest } from "../agent-request.ts";
import { type AgentState, isTerminalState, nextState } from "../agent-state.ts";

import { ManualClock } from "./manual-clock.ts";
import { orphansIn } from "./orphans.ts";

export const says = (text: string): ModelEvent => ({ type: "text_delta", text });
export const thinks = (text: string): ModelEvent => ({ type: "thinking_delta", text });

export function calls(name: string, args: JsonObject, id = `call-${name}`): ModelEvent {
  return { type: "tool_call_ready", call: { id, name, arguments: args } };
}

export function ends(reason: StopReason, usage: Partial<typeof noUsage> = {}): ModelEvent {
  return { type: "response_completed", reason, usage: { ...noUsage, ...usage } };
}

export const allowAll = functionPolicy(() => ({ answer: "allow", reason: "all is allowed", source: "user" }));
export const askAll = functionPolicy(() => ({ answer: "ask", reason: "everything asks", source: "user" }));

export type KitOptions = Omit<Partial<AgentOptions>, "tools"> & { readonly tools?: readonly Tool[] };

/** A real agent with a scripted model, a clock that stands still and ids that count. */
export function createKit(script: Script, options: KitOptions = {}) {
  const clock = new ManualClock();
  const provider = createScriptedProvider(script);
  let ids = 0;
  const agent = new Agent({
    model: { provider, id: "test-model" },
    policy: allowAll,
    clock,
    newId: () => {
      ids += 1;
      return `e${ids}`;
    },
    stopGraceMs: 1_000,
    ...options,
    tools: new ToolRegistry(options.tools ?? []),
  });
  return { agent, provider, clock };
}

export const aRequest: AgentRequest = { message: "do it", conversationId: "conversation", requestId: "r1" };

export type Watcher = (event: AgentEvent) => unknown;

/** Reads a run to its end and checks what must hold of every run, whatever happened in it. */
export async function runToEnd(
  agent: Agent,
  request: Partial<AgentRequest> = {},
  watch: Watcher = () => {},
  signal?: AbortSignal,
): Promise<{ events: AgentEvent[]; messages: readonly Message[]; run: ReturnType<Agent["run"]> }> {
  const whole = { ...aRequest, ...request };
  const run = agent.run(whole, signal);
  const events: AgentEvent[] = [];
  for await (const event of run) {
    events.push(event);
    await watch(event);
  }
  checkRun(events, run.messages, whole);
  return { events, messages: run.messages, run };
}

export function checkRun(
  events: readonly AgentEvent[],
  messages: readonly Message[],
  request: AgentRequest,
): void {
  checkStates(events);
  expect(events.at(-1)?.type).toBe("agent_complete");
  expect(ofType(events, "agent_complete")).toHaveLength(1);
  expect(ofType(events, "agent_error").filter((event) => event.errorCode === "internal_error")).toEqual([]);
  expect(orphansIn(messages)).toEqual([]);
  expect(new Set(events.map((event) => event.eventId)).size).toBe(events.length);
  for (const event of events) {
    expect(JSON.parse(JSON.stringify(event))).toStrictEqual(event);
    expect(event.requestId).toBe(request.requestId);
  }
  const asked = ofType(events, "tool_call_request").map((event) => event.request.id);
  const answered = ofType(events, "tool_result").map((event) => event.callId);
  expect(answered).toEqual(asked.slice(0, answered.length));
}

/** The trace is a legal walk from idle to a terminal state. */
function checkStates(events: readonly AgentEvent[]): void {
  let state: AgentState = "idle";
  for (const change of ofType(events, "state_changed")) {
    expect(change.previousState).toBe(state);
    expect(nextState(state, change.transition)).toBe(change.currentState);
    state = change.currentState;
  }
  expect(isTerminalState(state)).toBe(true);
}

export function ofType<Type extends AgentEventType>(
  events: readonly AgentEvent[],
  type: Type,
): readonly AgentEventOf<Type>[] {
  return events.filter((event): event is AgentEventOf<Type> => event.type === type);
}

export function stateTrace(events: readonly AgentEvent[]): readonly string[] {
  return ofType(events, "state_changed").map((change) => change.currentState);
}

/** A run in short, one line an event, for comparing whole sequences. */
export function outline(events: readonly AgentEvent[]): readonly string[] {
  return events.map((event) => {
    switch (event.type) {
      case "agent_iteration":
        return `iteration ${event.iterationNumber}/${event.maxIterations}`;
      case "text_generation":
        return event.isComplete
          ? `text end ${event.tokenCount}`
          : `${event.isThinking ? "think" : "text"} ${event.token}`;
      case "tool_call_request":
        return `call ${event.request.id} ${event.callIndex + 1}/${event.totalCalls}`;
      case "approval_request":
        return `ask ${event.request.id}`;
      case "tool_execution":
        return `${event.status} ${event.callId}`;
      case "tool_result":
        return `result ${event.callId} ${event.status}`;
      case "agent_error":
        return `error ${event.category} ${event.errorCode}`;
      case "agent_complete":
        return `complete ${event.reason}`;
      default:
        return `→ ${event.currentState}`;
    }
  });
}

/** Lets everything that is ready happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
