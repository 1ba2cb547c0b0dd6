import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.ts";
import { ruleSources } from "../policy/policy-decision.ts";
import { riskLevels } from "../policy/risk-level.ts";
import {
  type AgentEventOf,
  type AgentEventType,
  agentErrorCategories,
  agentEventFormatVersion,
  agentEventTypes,
  completionReasons,
} from "./agent-event.ts";
import { agentStates, agentTransitions, stateEdges } from "./agent-state.ts";
import * as queries from "./event-queries.ts";

import { exampleEvents } from "./testing/example-events.ts";
import { toolCallStatuses } from "./tool-call-lifecycle.ts";

const document = readFileSync(new URL("../../docs/events.md", import.meta.url), "utf8");
const common = ["eventId", "type", "timestamp", "requestId", "iterationNumber"];

/** The compiler keeps this complete: a field added to an event fails here until it is listed. */
const fields: {
  readonly [Type in AgentEventType]: { readonly [Field in keyof Required<AgentEventOf<Type>>]: true };
} = {
  agent_iteration: {
    ...base(),
    maxIterations: true,
    toolCallsInPreviousIteration: true,
    totalToolCallsExecuted: true,
    elapsedTime: true,
  },
  text_generation: {
    ...base(),
    token: true,
    isComplete: true,
    tokenCount: true,
    isThinking: true,
    sequenceIndex: true,
    source: true,
  },
  tool_call_request: { ...base(), request: true, callIndex: true, totalCalls: true },
  approval_request: {
    ...base(),
    request: true,
    summary: true,
    riskLevel: true,
    reason: true,
    details: true,
    warnings: true,
    suggestedRules: true,
    timeout: true,
  },
  tool_execution: {
    ...base(),
    callId: true,
    toolId: true,
    toolName: true,
    status: true,
    progress: true,
    statusMessage: true,
    elapsed: true,
  },
  tool_result: {
    ...base(),
    callId: true,
    toolId: true,
    toolName: true,
    status: true,
    result: true,
    duration: true,
    permission: true,
    modifiedParameters: true,
    cut: true,
  },
  agent_error: {
    ...base(),
    error: true,
    isFatal: true,
    category: true,
    errorCode: true,
    recoveryHint: true,
    isTransient: true,
    retryAfter: true,
    exception: true,
  },
  agent_complete: {
    ...base(),
    reason: true,
    finalResponse: true,
    toolCallsExecuted: true,
    totalIterations: true,
    totalDuration: true,
    wasCancelled: true,
    totalTokens: true,
    usage: true,
    toolUsage: true,
  },
  state_changed: {
    ...base(),
    previousState: true,
    currentState: true,
    transition: true,
    context: true,
    duration: true,
  },
};

describe("the document", () => {
  it("names the version of the format", () => {
    expect(document).toContain(`**Format version: ${agentEventFormatVersion}.**`);
  });

  it("describes exactly the types there are", () => {
    const headings = [...document.matchAll(/^## `(\w+)`$/gm)].map((match) => match[1]);
    expect(headings).toEqual([...agentEventTypes]);
  });

  it("has a row for every common field", () => {
    expect(rowsOf("## Common fields")).toEqual(common);
  });

  it.each(agentEventTypes)("has a row for every field of %s, and no other", (type) => {
    const own = Object.keys(fields[type]).filter((field) => !common.includes(field));
    expect(fieldTableOf(`## \`${type}\``).toSorted()).toEqual(own.toSorted());
  });

  it.each(agentEventTypes)("has an example of %s with known fields only", (type) => {
    const [example] = examplesOf(`## \`${type}\``);
    expect(example?.type).toBe(type);
    expect(Object.keys(example ?? {}).filter((field) => !Object.hasOwn(fields[type], field))).toEqual([]);
    const parts = new Set(exampleEvents.flatMap((event) => namesIn(JSON.parse(JSON.stringify(event)))));
    expect(namesIn(example ?? {}).filter((name) => !parts.has(name))).toEqual([]);
  });

  it("names every field of the parts of events", () => {
    const missing = exampleEvents
      .flatMap((event) => namesIn(JSON.parse(JSON.stringify(event))))
      .filter((name) => !document.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });

  it("names every word a field can have", () => {
    const words = [
      ...agentStates,
      ...agentTransitions,
      ...agentErrorCategories,
      ...completionReasons,
      ...toolCallStatuses,
      ...riskLevels,
      ...ruleSources,
      "starting",
      "in_progress",
      "answer",
      "timeout",
      "nobody",
    ];
    expect(words.filter((word) => !document.includes(`\`${word}\``))).toEqual([]);
  });

  it("has the edges of the state machine", () => {
    for (const state of agentStates) {
      for (const [transition, next] of Object.entries(stateEdges[state])) {
        const row = document.split("\n").find((line) => line.startsWith(`| \`${state}\` |`));
        expect(row).toContain(`\`${transition}\` → \`${next}\``);
      }
    }
  });

  it("names every function over events", () => {
    expect(Object.keys(queries).filter((name) => !document.includes(`\`${name}\``))).toEqual([]);
  });
});

describe("the examples used in tests", () => {
  it("have every field there is", () => {
    for (const event of exampleEvents) {
      expect(Object.keys(event).toSorted()).toEqual(Object.keys(fields[event.type]).toSorted());
    }
    expect(exampleEvents.map((event) => event.type)).toEqual([...agentEventTypes]);
  });
});

function base() {
  return { eventId: true, type: true, timestamp: true, requestId: true, iterationNumber: true } as const;
}

function sectionOf(heading: string): string {
  const [, after = ""] = document.split(`\n${heading}\n`);
  return after.split(/^##? /m)[0] ?? "";
}

function rowsOf(heading: string): readonly string[] {
  return [...sectionOf(heading).matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? "");
}

/** Sections may have a second table; the first one has the fields. */
function fieldTableOf(heading: string): readonly string[] {
  const [table = ""] = sectionOf(heading).match(/(?:^\|.*\n)+/gm) ?? [];
  return [...table.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? "");
}

function examplesOf(heading: string): readonly JsonObject[] {
  return [...sectionOf(heading).matchAll(/```json\n(.*?)```/gs)].flatMap((match) => {
    const value: unknown = JSON.parse(match[1] ?? "");
    return isJsonObject(value) ? [value] : [];
  });
}

/** All field names, but not those inside arguments and data, which are anybody's. */
function namesIn(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const isForeign =
      name === "parameters" || name === "modifiedParameters" || (name === "data" && isJsonObject(inner));
    return isForeign ? [name] : [name, ...namesIn(inner)];
  });
}
