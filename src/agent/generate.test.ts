import { describe, expect, it } from "vitest";
import { textOf } from "../model/message.ts";
import { ModelError } from "../model/model-error.ts";
import {
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

  it("may need to be called as a method", async () => {
    class Provider {
      readonly name = "object";
      readonly #text = "hello";
      async *stream() {
        yield says(this.#text);
        yield ends("stop");
      }
    }
    const { agent } = createKit([], { model: { provider: new Provider(), id: "m" } });
    const { events } = await runToEnd(agent);
    expect(events.at(-1)).toMatchObject({ finalResponse: "hello" });
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
