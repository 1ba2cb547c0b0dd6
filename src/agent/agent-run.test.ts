import { describe, expect, it } from "vitest";
import { textOf, userMessage } from "../model/message.ts";
import { succeeded } from "../tools/tool-result.ts";
import { calls, createKit, ends, ofType, outline, runToEnd, says, thinks } from "./testing/agent-kit.ts";
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
