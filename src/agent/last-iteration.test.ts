import { describe, expect, it } from "vitest";
import { textOf, userMessage } from "../model/message.ts";
import { succeeded } from "../tools/tool-result.ts";
import { calls, createKit, ofType, outline, runToEnd, says } from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";

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
    expect(events.at(-1)).toMatchObject({ finalResponse: "I try" });
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
