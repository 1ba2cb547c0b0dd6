import { describe, expect, it } from "vitest";
import { textOf, userMessage } from "../model/message.ts";
import { ModelError } from "../model/model-error.ts";
import { ToolRegistry } from "../tools/tool-registry.ts";
import { failed, succeeded } from "../tools/tool-result.ts";
import { Agent } from "./agent.ts";
import {
  askAll,
  calls,
  createKit,
  ends,
  ofType,
  outline,
  runToEnd,
  says,
  stateTrace,
  thinks,
} from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";

describe("a question without tools", () => {
  it("goes from prompt to answer", async () => {
    const { agent, provider } = createKit([[thinks("hm"), says("Hel"), says("lo")]]);
    const { events, messages } = await runToEnd(agent);
    expect(outline(events)).toEqual([
      "→ initializing",
      "→ thinking",
      "iteration 1/100",
      "think hm",
      "text Hel",
      "text lo",
      "text end 3",
      "→ responding",
      "→ completed",
      "complete finished",
    ]);
    expect(events.at(-1)).toMatchObject({
      finalResponse: "Hello",
      toolCallsExecuted: 0,
      totalIterations: 1,
      wasCancelled: false,
      totalTokens: 3,
      toolUsage: [],
    });
    expect(messages.map((message) => [message.role, textOf(message)])).toEqual([
      ["user", "do it"],
      ["assistant", "Hello"],
    ]);
    expect(provider.requests).toEqual([
      { model: "test-model", messages: [userMessage("do it")], cacheKey: "conversation" },
    ]);
  });

  it("numbers and times its events", async () => {
    const { agent } = createKit([[says("a"), says("b")]]);
    const { events } = await runToEnd(agent);
    expect(ofType(events, "text_generation")).toEqual(
      [
        { token: "a", isComplete: false, tokenCount: 1, sequenceIndex: 0 },
        { token: "b", isComplete: false, tokenCount: 2, sequenceIndex: 1 },
        { token: "", isComplete: true, tokenCount: 2, sequenceIndex: 2 },
      ].map((fields) => ({
        ...fields,
        eventId: expect.any(String),
        type: "text_generation",
        timestamp: "2026-01-01T00:00:00.000Z",
        requestId: "r1",
        iterationNumber: 1,
        isThinking: false,
        source: "test-model",
      })),
    );
  });

  it("sends the history, the system prompt and the options along", async () => {
    const { agent, provider } = createKit([[says("ok")]]);
    const history = [
      userMessage("before"),
      { role: "assistant" as const, content: [{ type: "text" as const, text: "yes" }] },
    ];
    const { messages } = await runToEnd(agent, {
      history,
      systemPrompt: "Be brief.",
      inferenceOptions: { temperature: 0, maxOutputTokens: 50, thinking: "high" },
    });
    expect(provider.requests[0]).toEqual({
      model: "test-model",
      system: "Be brief.",
      messages: [...history, userMessage("do it")],
      temperature: 0,
      maxOutputTokens: 50,
      thinking: "high",
      cacheKey: "conversation",
    });
    expect(messages).toHaveLength(2);
  });

  it("goes on from the history when there is no message", async () => {
    const { agent, provider } = createKit([[says("ok")]]);
    const run = agent.run({ conversationId: "c", requestId: "r1", history: [userMessage("again")] });
    for await (const _ of run);
    expect(provider.requests[0]?.messages).toEqual([userMessage("again")]);
    expect(run.messages.map((message) => message.role)).toEqual(["assistant"]);
  });

  it("takes the usage the provider reports", async () => {
    const { agent } = createKit(
      [
        [calls("read_file", { path: "a" }), ends("tool_calls", { inputTokens: 10, outputTokens: 5 })],
        [says("x"), ends("stop", { inputTokens: 20, outputTokens: 7, cacheReadTokens: 3 })],
      ],
      { tools: [aTool()] },
    );
    const { events } = await runToEnd(agent);
    expect(events.at(-1)).toMatchObject({
      totalTokens: 12,
      usage: {
        inputTokens: 30,
        outputTokens: 12,
        cacheReadTokens: 3,
        cacheWriteTokens: 0,
        reasoningTokens: 0,
      },
    });
  });
});

describe("a call that is allowed", () => {
  it("runs, and its result goes back to the model", async () => {
    const { agent, provider } = createKit(
      [
        [
          says("Let me look."),
          { type: "tool_call_started", callId: "c1", name: "read_file" },
          calls("read_file", { path: "a.ts" }, "c1"),
        ],
        [says("It is short.")],
      ],
      { tools: [aTool()] },
    );
    const { events, messages } = await runToEnd(agent);
    expect(outline(events)).toEqual([
      "→ initializing",
      "→ thinking",
      "iteration 1/100",
      "text Let me look.",
      "→ parsing_tool_call",
      "text end 1",
      "call c1 1/1",
      "→ executing_tool",
      "starting c1",
      "completed c1",
      "result c1 completed",
      "→ processing_result",
      "→ thinking",
      "iteration 2/100",
      "text It is short.",
      "text end 1",
      "→ responding",
      "→ completed",
      "complete finished",
    ]);
    expect(ofType(events, "tool_call_request")[0]).toMatchObject({
      request: {
        id: "c1",
        toolId: "read_file",
        toolName: "Read file",
        parameters: { path: "a.ts" },
        riskLevel: "safe",
        executionSummary: "Read file a.ts",
        requestedAt: "2026-01-01T00:00:00.000Z",
        iterationNumber: 1,
        validationResult: { isValid: true, errors: [] },
      },
    });
    expect(ofType(events, "tool_result")[0]).toMatchObject({
      toolName: "Read file",
      result: { ok: true, content: "content of a.ts" },
      permission: {
        allowed: true,
        reason: "all is allowed",
        source: "user",
        decidedAt: "2026-01-01T00:00:00.000Z",
      },
    });
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(provider.requests[1]?.messages).toEqual(messages.slice(0, 3));
    expect(messages[2]).toEqual({
      role: "tool",
      callId: "c1",
      toolName: "read_file",
      content: [{ type: "text", text: "content of a.ts" }],
      isError: false,
    });
    expect(ofType(events, "agent_iteration")[1]).toMatchObject({
      toolCallsInPreviousIteration: 1,
      totalToolCallsExecuted: 1,
    });
    expect(events.at(-1)).toMatchObject({
      finalResponse: "It is short.",
      toolCallsExecuted: 1,
      totalIterations: 2,
      toolUsage: [
        {
          toolId: "read_file",
          toolName: "Read file",
          invocationCount: 1,
          successCount: 1,
          failureCount: 0,
          totalDuration: 0,
        },
      ],
    });
  });

  it("is offered to the model with its schema, and tool use is explained", async () => {
    const tool = aTool();
    const { agent, provider } = createKit([[says("ok")]], {
      tools: [tool],
      settings: { toolUsePrompt: "Use tools well." },
    });
    await runToEnd(agent, { systemPrompt: "Be brief." });
    expect(provider.requests[0]).toMatchObject({
      system: "Be brief.\n\nUse tools well.",
      tools: [{ name: "read_file", description: "Reads a file.", inputSchema: tool.inputSchema }],
    });
    expect(provider.requests[0]).not.toHaveProperty("toolChoice");
  });

  it.each([
    ["the request says so", { enableTools: false }, {}],
    ["the configuration says so", {}, { enabled: false }],
    ["none is available", { toolContext: { disabledToolIds: ["read_file"] } }, {}],
  ])("is not offered when %s", async (_why, request, settings) => {
    const { agent, provider } = createKit([[says("ok")]], { tools: [aTool()], settings });
    await runToEnd(agent, request);
    expect(provider.requests[0]).not.toHaveProperty("tools");
    expect(provider.requests[0]).not.toHaveProperty("system");
  });

  it("gets the context it needs", async () => {
    let seen: unknown;
    const tool = aTool({
      run: (_args, { signal, reportProgress, ...context }) => {
        seen = [context, signal.aborted];
        return succeeded("");
      },
    });
    const { agent } = createKit([[calls("read_file", { path: "a" }, "c1")], [says("ok")]], { tools: [tool] });
    const { messages } = await runToEnd(agent, { toolContext: { workspacePath: "/w" } });
    expect(seen).toEqual([
      { callId: "c1", requestId: "r1", conversationId: "conversation", workspacePath: "/w" },
      false,
    ]);
    expect(messages[2]).toMatchObject({ content: [{ text: "(no output)" }] });
  });

  it("reports its progress", async () => {
    const tool = aTool({
      run: async (_args, { reportProgress }) => {
        reportProgress({ current: 1, total: 4, message: "reading" });
        await Promise.resolve();
        return succeeded("done");
      },
    });
    const { agent, clock } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], {
      tools: [tool],
    });
    const { events } = await runToEnd(agent, {}, () => clock.advance(5));
    const progress = ofType(events, "tool_execution").filter((event) => event.status === "in_progress");
    expect(progress).toMatchObject([
      { progress: { current: 1, total: 4, message: "reading" }, elapsed: expect.any(Number) },
    ]);
  });

  it("shows images to the model", async () => {
    const image = { type: "image" as const, mediaType: "image/png", data: "AAAA" };
    const tool = aTool({ run: () => succeeded("a picture", { images: [image] }) });
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], { tools: [tool] });
    const { messages } = await runToEnd(agent);
    expect(messages[2]).toMatchObject({ content: [{ type: "text", text: "a picture" }, image] });
  });

  it("keeps its result from the model when so configured, and is answered all the same", async () => {
    const { agent, provider } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], {
      tools: [aTool()],
      settings: { includeToolResultsInHistory: false },
    });
    const { events } = await runToEnd(agent);
    expect(JSON.stringify(provider.requests[1]?.messages)).not.toContain("content of a");
    expect(ofType(events, "tool_result")[0]?.result.content).toBe("content of a");
  });
});

describe("streaming", () => {
  const script = [
    [thinks("a"), thinks("b"), says("1"), says("2"), says("3"), calls("read_file", { path: "x" }), says("4")],
    [says("ok")],
  ];
  const texts = async (settings: object) => {
    const { agent } = createKit(script, { tools: [aTool()], settings });
    const { events } = await runToEnd(agent);
    return outline(events.filter((event) => event.type === "text_generation" && event.iterationNumber === 1));
  };

  it("gathers as many pieces as configured, and never mixes thinking and text", async () => {
    expect(await texts({ streamingBufferSize: 2 })).toEqual([
      "think ab",
      "text 12",
      "text 3",
      "text 4",
      "text end 6",
    ]);
    expect(await texts({ streamingBufferSize: 3 })).toEqual(["think ab", "text 123", "text 4", "text end 6"]);
  });

  it("sends whole blocks when it is off", async () => {
    expect(await texts({ streaming: false })).toEqual(["think ab", "text 123", "text 4", "text end 6"]);
  });
});

describe("the last iteration", () => {
  it("is without tools, and the model is told", async () => {
    const { agent, provider } = createKit([[calls("read_file", { path: "a" })], [says("That is all.")]], {
      tools: [aTool()],
    });
    const { events, messages } = await runToEnd(agent, { maxIterations: 2 });
    expect(provider.requests.map((request) => request.toolChoice)).toEqual([undefined, "none"]);
    expect(provider.requests[1]?.tools).toHaveLength(1);
    const last = provider.requests[1]?.messages.at(-1);
    expect(last?.role).toBe("user");
    expect(last && textOf(last)).toContain("Answer now");
    expect(messages.some((message) => textOf(message).includes("Answer now"))).toBe(false);
    expect(events.at(-1)).toMatchObject({ reason: "max_iterations", finalResponse: "That is all." });
  });

  it("adds its note to the prompt when it is also the first", async () => {
    const { agent, provider } = createKit([[says("ok")]], { tools: [aTool()] });
    await runToEnd(agent, { maxIterations: 1 });
    expect(provider.requests[0]?.messages).toHaveLength(1);
    expect(provider.requests[0]?.messages[0]?.content).toHaveLength(2);
  });

  it("is nothing special without tools", async () => {
    const { agent, provider } = createKit([[says("ok")]]);
    const { events } = await runToEnd(agent, { maxIterations: 1 });
    expect(provider.requests[0]).not.toHaveProperty("toolChoice");
    expect(provider.requests[0]?.messages).toEqual([userMessage("do it")]);
    expect(events.at(-1)).toMatchObject({ reason: "finished" });
  });

  it("does not run the calls of a model that calls all the same", async () => {
    let ran = false;
    const tool = aTool({
      run: () => {
        ran = true;
        return succeeded("");
      },
    });
    const { agent } = createKit([[says("I try"), calls("read_file", { path: "a" })]], { tools: [tool] });
    const { events, messages } = await runToEnd(agent, { maxIterations: 1 });
    expect(ran).toBe(false);
    expect(outline(events).slice(-6)).toEqual([
      "call call-read_file 1/1",
      "result call-read_file validation_failed",
      "→ thinking",
      "→ responding",
      "→ completed",
      "complete max_iterations",
    ]);
    expect(messages.at(-1)).toMatchObject({ role: "tool", isError: true });
  });

  it.each([0, 101, 1.5])("cannot be number %d", async (maxIterations) => {
    const { agent } = createKit([]);
    const { events } = await runToEnd(agent, { maxIterations });
    expect(ofType(events, "agent_error")).toMatchObject([
      {
        errorCode: "invalid_request",
        error: `maxIterations is ${maxIterations}; it must be a whole number from 1 to 100.`,
      },
    ]);
    expect(events.at(-1)).toMatchObject({ reason: "error" });
  });

  it("waits between iterations when so configured", async () => {
    const { agent, clock, provider } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], {
      tools: [aTool()],
      settings: { iterationDelayMs: 250 },
    });
    const before = clock.now();
    await runToEnd(agent, {}, (event) => {
      if (event.type !== "state_changed" || event.currentState !== "processing_result") return;
      expect(provider.requests).toHaveLength(1);
      queueMicrotask(() => setImmediate(() => clock.advance(250)));
    });
    expect(clock.now() - before).toBe(250);
  });
});

describe("answers that end in their own ways", () => {
  it("go on after a pause, as one answer", async () => {
    const { agent, provider } = createKit([[says("One, "), ends("paused")], [says("two.")]]);
    const { events, messages } = await runToEnd(agent);
    expect(provider.requests[1]?.messages.at(-1)).toMatchObject({ role: "assistant" });
    expect(messages).toHaveLength(3);
    expect(stateTrace(events)).toEqual(["initializing", "thinking", "thinking", "responding", "completed"]);
    expect(events.at(-1)).toMatchObject({ finalResponse: "One, two.", totalIterations: 2 });
  });

  it("do not pause for ever", async () => {
    const { agent } = createKit(() => [says("."), ends("paused")]);
    const { events } = await runToEnd(agent, { maxIterations: 3 });
    expect(events.at(-1)).toMatchObject({ finalResponse: "...", totalIterations: 3 });
  });

  it("are refused with a clear error, and leave no trace in the conversation", async () => {
    const { agent } = createKit([[says("I can"), ends("refused")]]);
    const { events, messages, run } = await runToEnd(agent);
    expect(outline(events).slice(-3)).toEqual(["error llm_error refused", "→ error", "complete error"]);
    expect(ofType(events, "agent_error")[0]).toMatchObject({
      isFatal: true,
      recoveryHint: expect.stringContaining("differently"),
    });
    expect(messages).toHaveLength(1);
    expect(run.partialMessage && textOf(run.partialMessage)).toBe("I can");
  });

  it("say that they were cut off", async () => {
    const { agent } = createKit([[says("A long sto"), ends("length")]]);
    const { events } = await runToEnd(agent);
    expect(ofType(events, "agent_error")).toMatchObject([{ errorCode: "output_limit", isFatal: false }]);
    expect(events.at(-1)).toMatchObject({ reason: "finished", finalResponse: "A long sto" });
  });

  it("say that they were empty, and add no empty message", async () => {
    const { agent } = createKit([[]]);
    const { events, messages } = await runToEnd(agent);
    expect(ofType(events, "agent_error")).toMatchObject([{ errorCode: "empty_answer", isFatal: false }]);
    expect(messages).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ reason: "finished", finalResponse: "" });
  });

  it("have the last answer's text as their response, not that of all iterations", async () => {
    const { agent } = createKit(
      [[says("First I look."), calls("read_file", { path: "a" })], [says("Done.")]],
      { tools: [aTool()] },
    );
    const { events } = await runToEnd(agent);
    expect(events.at(-1)).toMatchObject({ finalResponse: "Done." });
  });
});

describe("a model that fails", () => {
  it("ends the run with what happened and what to do", async () => {
    const error = new ModelError("rate_limit", "Slow down.", { retryAfterMs: 3_000, status: 429 });
    const { agent } = createKit([[says("I was"), error]]);
    const { events, messages, run } = await runToEnd(agent);
    expect(outline(events).slice(-3)).toEqual(["error llm_error rate_limit", "→ error", "complete error"]);
    expect(ofType(events, "agent_error")[0]).toMatchObject({
      error: "Slow down.",
      isFatal: true,
      isTransient: true,
      retryAfter: 3_000,
      recoveryHint: expect.stringContaining("Wait"),
      exception: { name: "ModelError", message: "Slow down." },
    });
    expect(events.at(-1)).toMatchObject({ finalResponse: "I was", wasCancelled: false });
    expect(messages).toHaveLength(1);
    expect(run.partialMessage).toEqual({ role: "assistant", content: [{ type: "text", text: "I was" }] });
  });

  it("can be asked again from where it stopped, without the prompt twice", async () => {
    const { agent, provider } = createKit(
      [
        [calls("read_file", { path: "a" })],
        [says("Hal"), new ModelError("network", "gone")],
        [says("Hallo")],
      ],
      { tools: [aTool()] },
    );
    const first = await runToEnd(agent);
    const { message: _, ...again } = { message: "", conversationId: "conversation", requestId: "r2" };
    const second = agent.run({ ...again, history: first.messages });
    for await (const _event of second);
    expect(provider.requests[2]?.messages).toEqual(first.messages);
    expect(second.messages.map(textOf)).toEqual(["Hallo"]);
  });

  it("may break off in the middle of a call, which then never was", async () => {
    const { agent } = createKit(
      [
        [
          says("x"),
          calls("read_file", { path: "a" }),
          { type: "tool_call_started", callId: "c2", name: "read_file" },
          new ModelError("cut_off", "gone"),
        ],
      ],
      { tools: [aTool()] },
    );
    const { events, messages } = await runToEnd(agent);
    expect(ofType(events, "tool_call_request")).toEqual([]);
    expect(messages).toHaveLength(1);
  });

  it("may throw what it should not", async () => {
    const { agent } = createKit([[new TypeError("x is not a function")]]);
    const run = agent.run({ message: "x", conversationId: "c", requestId: "r1" });
    const events = [];
    for await (const event of run) events.push(event);
    expect(ofType(events, "agent_error")).toMatchObject([
      { category: "unknown", errorCode: "internal_error", isFatal: true },
    ]);
    expect(events.at(-1)).toMatchObject({ reason: "error" });
  });

  it("must end its answer", async () => {
    const provider = {
      name: "bad",
      async *stream() {
        yield says("x");
      },
    };
    const { agent } = createKit([], { model: { provider, id: "m" } });
    const { events } = await runToEnd(agent);
    expect(ofType(events, "agent_error")).toMatchObject([{ errorCode: "cut_off", isTransient: true }]);
  });

  it("can be changed between answers", async () => {
    const { provider } = createKit([[calls("read_file", { path: "a" })], [says("ok")]]);
    const models = ["one", "two"];
    const { agent } = createKit([], {
      tools: [aTool()],
      model: () => ({ provider, id: models.shift() ?? "?" }),
    });
    await runToEnd(agent);
    expect(provider.requests.map((request) => request.model)).toEqual(["one", "two"]);
  });
});

describe("a request", () => {
  it("needs something to do", async () => {
    const { agent } = createKit([]);
    const { message: _, ...empty } = { message: "", conversationId: "c", requestId: "r1" };
    const events = [];
    for await (const event of agent.run(empty)) events.push(event);
    expect(ofType(events, "agent_error")).toMatchObject([{ errorCode: "invalid_request" }]);
  });

  it("is done one at a time", async () => {
    const { agent } = createKit([[says("a"), says("b")], [says("c")]]);
    const first = agent.run({ message: "1", conversationId: "c", requestId: "r1" });
    await first.next();
    expect(agent.isProcessing).toBe(true);
    await expect(agent.run({ message: "2", conversationId: "c", requestId: "r2" }).next()).rejects.toThrow(
      "working on another",
    );
    for await (const _ of first);
    expect([agent.isProcessing, agent.state, agent.currentIteration]).toEqual([false, "completed", 1]);
    const { events } = await runToEnd(agent, { requestId: "r3" });
    expect(events.at(-1)).toMatchObject({ finalResponse: "c" });
  });

  it("starts nothing until it is read", async () => {
    const { agent, clock, provider } = createKit([[says("a")]]);
    const run = agent.run({ message: "1", conversationId: "c", requestId: "r1" });
    expect([clock.pendingTimers, agent.state, provider.requests.length]).toEqual([0, "idle", 0]);
    expect(await run.return()).toEqual({ done: true, value: undefined });
    expect(await run.next()).toEqual({ done: true, value: undefined });
  });

  it("leaves no timer behind", async () => {
    const { agent, clock } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], {
      tools: [aTool()],
    });
    await runToEnd(agent);
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("results for the model", () => {
  it("count failures in the statistics", async () => {
    const tool = aTool({ run: ({ path }) => (path === "a" ? failed("no such file") : succeeded("there")) });
    const { agent } = createKit(
      [[calls("read_file", { path: "a" }, "c1")], [calls("read_file", { path: "b" }, "c2")], [says("ok")]],
      { tools: [tool] },
    );
    const { events, messages } = await runToEnd(agent);
    expect(ofType(events, "tool_result").map((event) => event.status)).toEqual(["failed", "completed"]);
    expect(messages[2]).toMatchObject({ isError: true, content: [{ text: "no such file" }] });
    expect(events.at(-1)).toMatchObject({
      toolCallsExecuted: 2,
      toolUsage: [{ invocationCount: 2, successCount: 1, failureCount: 1 }],
    });
  });

  it("say when the same call fails again", async () => {
    const tool = aTool({ run: ({ path }) => (path === "bad" ? failed("no") : succeeded("yes")) });
    const bad = (id: string) => calls("read_file", { path: "bad" }, id);
    const { agent } = createKit(
      [
        [bad("1")],
        [calls("read_file", { path: "other" }, "2")],
        [bad("3")],
        [bad("4")],
        [says("I give up.")],
      ],
      { tools: [tool] },
    );
    const { events } = await runToEnd(agent);
    expect(
      ofType(events, "tool_result").map((event) => /failed (\d) times/.exec(event.result.content)?.[1]),
    ).toEqual([undefined, undefined, "2", "3"]);
  });

  it("survive a tool that throws", async () => {
    const tool = aTool({
      run: () => {
        throw new Error("disk on fire");
      },
    });
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("Oh.")]], { tools: [tool] });
    const { events, messages } = await runToEnd(agent);
    expect(outline(events).filter((line) => /failed|error/.test(line))).toEqual([
      "error tool_error tool_threw",
      "failed call-read_file",
      "result call-read_file failed",
    ]);
    expect(messages[2]).toMatchObject({
      isError: true,
      content: [{ text: "The tool failed: disk on fire" }],
    });
  });

  it.each([
    ["nothing", undefined],
    ["text", "hello"],
    ["half a result", { ok: true }],
  ])("survive a foreign tool that returns %s", async (_name, value) => {
    const tool = { ...aTool(), execute: async () => JSON.parse(JSON.stringify(value ?? null)) };
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("Oh.")]], { tools: [tool] });
    const { events } = await runToEnd(agent);
    expect(ofType(events, "tool_result")[0]?.result.content).toContain("not a result");
  });

  it("are made plain when a foreign tool adds what JSON has not", async () => {
    const tool = aTool({ run: () => succeeded("x", { data: JSON.parse('{"a":1}'), diagnostics: [] }) });
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("Oh.")]], {
      tools: [
        {
          ...tool,
          execute: async () =>
            Object.assign(succeeded("x"), { data: { when: new Date(0), nothing: undefined } }),
        },
      ],
    });
    const { events } = await runToEnd(agent);
    expect(ofType(events, "tool_result")[0]?.result.data).toStrictEqual({ when: "1970-01-01T00:00:00.000Z" });
  });

  it("are tried once more for tools that only read, when so configured", async () => {
    const attempts: string[] = [];
    const flaky = (id: string, readOnly: boolean) =>
      aTool({
        id,
        readOnly,
        run: () => {
          attempts.push(id);
          return attempts.filter((one) => one === id).length === 1 ? failed("busy") : succeeded("fine");
        },
      });
    const script = [[calls("peek", { path: "a" }), calls("poke", { path: "b" })], [says("ok")]];
    const tools = [flaky("peek", true), flaky("poke", false)];
    const { agent } = createKit(script, { tools, settings: { autoRetryFailedTools: true } });
    const { events } = await runToEnd(agent);
    expect(attempts.toSorted()).toEqual(["peek", "peek", "poke"]);
    expect(ofType(events, "tool_result").map((event) => event.status)).toEqual(["completed", "failed"]);
  });

  it("have approvals asked of nobody denied", async () => {
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], {
      tools: [aTool()],
      policy: askAll,
    });
    const { events } = await runToEnd(agent);
    expect(ofType(events, "approval_request")).toEqual([]);
    expect(ofType(events, "tool_result")).toMatchObject([
      {
        status: "denied",
        permission: { allowed: false, source: "nobody" },
        result: { content: expect.stringContaining("nobody is here") },
      },
    ]);
  });

  it("need no policy of one's own for reading", async () => {
    const { provider } = createKit([
      [calls("read_file", { path: "a" }), calls("write", { path: "a" })],
      [says("ok")],
    ]);
    const tools = new ToolRegistry([aTool(), aTool({ id: "write", readOnly: false })]);
    const { events } = await runToEnd(new Agent({ model: { provider, id: "m" }, tools }));
    expect(ofType(events, "tool_result").map((event) => event.status)).toEqual(["completed", "denied"]);
  });
});
