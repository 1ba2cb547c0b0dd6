import { describe, expect, it } from "vitest";
import type { ModelEvent } from "../model/model-event.ts";
import { succeeded } from "../tools/tool-result.ts";
import { calls, createKit, ends, ofType, outline, runToEnd, says } from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";

function malformed(text: string, id = "c1"): ModelEvent {
  return {
    type: "tool_call_ready",
    call: { id, name: "read_file", arguments: {}, malformedArguments: text },
  };
}

/** What came of the calls in one answer. */
async function outcomeOf(...answer: ModelEvent[]) {
  const ran: string[] = [];
  const tool = aTool({
    run: ({ path }) => {
      ran.push(path);
      return succeeded(`read ${path}`);
    },
  });
  const kit = createKit([answer, [says("ok")]], { tools: [tool, aTool({ id: "other_tool" })] });
  const { events, messages } = await runToEnd(kit.agent);
  const results = ofType(events, "tool_result");
  return {
    ran,
    events,
    messages,
    results,
    content: results[0]?.result.content,
    request: ofType(events, "tool_call_request")[0]?.request,
  };
}

describe("a call with wrong arguments", () => {
  it("does not run, and the model learns what is wrong with each", async () => {
    const { ran, content, request, results } = await outcomeOf(calls("read_file", { file: "a" }));
    expect(ran).toEqual([]);
    expect(results[0]?.status).toBe("validation_failed");
    expect(content).toBe(
      "Not run: the arguments of read_file are not valid.\n" +
        "- `path` is required: give a string\n" +
        "- `file` is not a known argument; known: path, text\n" +
        "Correct them and call again.",
    );
    expect(request?.validationResult).toEqual({
      isValid: false,
      errors: ["`path` is required: give a string", "`file` is not a known argument; known: path, text"],
    });
  });

  it("takes its state back to thinking without asking anybody", async () => {
    const { events } = await outcomeOf(calls("read_file", {}, "c1"));
    expect(outline(events).slice(3, 10)).toEqual([
      "→ parsing_tool_call",
      "text end 0",
      "call c1 1/1",
      "result c1 validation_failed",
      "→ thinking",
      "→ thinking",
      "iteration 2/100",
    ]);
  });

  it("does not keep the others from running", async () => {
    const { ran, results } = await outcomeOf(
      calls("read_file", { path: "a" }, "1"),
      calls("read_file", {}, "2"),
      calls("read_file", { path: "b" }, "3"),
    );
    expect(ran).toEqual(["a", "b"]);
    expect(results.map((event) => event.status)).toEqual(["completed", "validation_failed", "completed"]);
  });
});

describe("a call of a tool that does not exist", () => {
  it("is answered with the tools there are", async () => {
    const { content, results } = await outcomeOf(calls("delete_everything", { path: "a" }));
    expect(results[0]?.status).toBe("validation_failed");
    expect(content).toBe('Not run: there is no tool "delete_everything". Tools: read_file, other_tool.');
  });

  it("is answered with the one that was meant, where only the spelling differs", async () => {
    const { content, ran } = await outcomeOf(calls("Read-File", { path: "a" }));
    expect(content).toContain("Did you mean read_file?");
    expect(ran).toEqual([]);
  });

  it.each(["toString", "__proto__", "constructor"])("is unknown also when it is called %s", async (name) => {
    const { results } = await outcomeOf(calls(name, {}));
    expect(results[0]?.status).toBe("validation_failed");
  });
});

describe("arguments that are not JSON", () => {
  it("are repaired where only one reading is possible, and that is said", async () => {
    const { ran, request, messages } = await outcomeOf(malformed('{path: "a",}'));
    expect(ran).toEqual(["a"]);
    expect(request).toMatchObject({
      parameters: { path: "a" },
      rawJson: '{path: "a",}',
      repairs: ["quoted a bare key", "removed a trailing comma"],
    });
    expect(messages[1]).toEqual({
      role: "assistant",
      content: [{ type: "tool_call", call: { id: "c1", name: "read_file", arguments: { path: "a" } } }],
    });
  });

  it("are checked after the repair like any others", async () => {
    const { ran, results } = await outcomeOf(malformed("{pth: 1,}"));
    expect([ran, results[0]?.status]).toEqual([[], "validation_failed"]);
  });

  it("are otherwise given back with the place of the mistake", async () => {
    const { ran, content, events, request } = await outcomeOf(malformed('{"path": "a" "b"}'));
    expect(ran).toEqual([]);
    expect(content).toMatch(
      /not valid JSON \(.*position 13.*\)\. Send the call again with one valid JSON object\./,
    );
    expect(ofType(events, "agent_error")).toMatchObject([{ category: "parsing_error", isFatal: false }]);
    expect(request).not.toHaveProperty("repairs");
  });

  it("are given back when they are JSON but no object", async () => {
    const { content } = await outcomeOf(malformed("[1]"));
    expect(content).toContain("they are not an object");
  });

  it("are never repaired when the answer was cut off", async () => {
    const { ran, content } = await outcomeOf(malformed('{path: "/home/me/pro", }'), ends("length"));
    expect(ran).toEqual([]);
    expect(content).toContain("cut off by the output limit");
  });
});

describe("a call that was cut off", () => {
  const begun: ModelEvent[] = [
    { type: "tool_call_started", callId: "c2", name: "read_file" },
    { type: "tool_call_args_delta", callId: "c2", text: '{"path": "a' },
  ];

  it("by the output limit is never run, and has a result the model can act on", async () => {
    const { ran, messages, content, request } = await outcomeOf(says("Now"), ...begun, ends("length"));
    expect(ran).toEqual([]);
    expect(content).toContain("smaller calls");
    expect(request).toMatchObject({ id: "c2", rawJson: '{"path": "a', parameters: {} });
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(messages[1]).toMatchObject({
      content: [{ text: "Now" }, { call: { id: "c2", malformedArguments: '{"path": "a' } }],
    });
  });

  it("does not stop a whole one before it", async () => {
    const { ran, results } = await outcomeOf(
      calls("read_file", { path: "x" }, "c1"),
      ...begun,
      ends("length"),
    );
    expect(ran).toEqual(["x"]);
    expect(results.map((event) => event.status)).toEqual(["completed", "validation_failed"]);
  });

  it("for no known reason is to be made again", async () => {
    const { content } = await outcomeOf(...begun, ends("stop"));
    expect(content).toContain("Make it again");
  });
});

describe("call ids", () => {
  it("are made unique, so that every result has its call", async () => {
    const { results, messages } = await outcomeOf(
      calls("read_file", { path: "a" }, "x"),
      calls("read_file", { path: "b" }, "x"),
      calls("read_file", { path: "c" }, ""),
    );
    expect(results.map((event) => event.callId)).toEqual(["x", "x_2", "call"]);
    expect(messages.slice(2, 5)).toMatchObject([{ callId: "x" }, { callId: "x_2" }, { callId: "call" }]);
  });

  it("keep what the provider sealed into the call", async () => {
    const signature = { origin: "o", value: "s" };
    const { messages } = await outcomeOf({
      type: "tool_call_ready",
      call: { id: "x", name: "read_file", arguments: { path: "a" }, signature },
    });
    expect(messages[1]).toMatchObject({ content: [{ call: { signature } }] });
  });
});

describe("a foreign tool that breaks its contract", () => {
  const throws = () => {
    throw new Error("oops");
  };

  it("in validate makes the call invalid", async () => {
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], {
      tools: [{ ...aTool(), validate: throws }],
    });
    const { events } = await runToEnd(agent);
    expect(ofType(events, "tool_result")[0]?.result.content).toContain("could not be checked: oops");
  });

  it("in riskOf is taken at its worst", async () => {
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], {
      tools: [{ ...aTool(), riskOf: throws }],
    });
    const { events } = await runToEnd(agent);
    expect(ofType(events, "tool_call_request")[0]?.request.riskLevel).toBe("high");
  });

  it("in summarize and touches goes on without", async () => {
    const tool = { ...aTool(), summarize: throws, touches: throws, detailsOf: throws };
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], { tools: [tool] });
    const { events } = await runToEnd(agent);
    expect(ofType(events, "tool_call_request")[0]?.request.executionSummary).toBe("Read file");
    expect(ofType(events, "tool_result")[0]?.status).toBe("completed");
  });
});
