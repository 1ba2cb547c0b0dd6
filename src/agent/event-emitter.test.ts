import { describe, expect, expectTypeOf, it } from "vitest";
import type { AgentEvent, TextGenerationEvent } from "./agent-event.ts";
import { AgentEventEmitter } from "./event-emitter.ts";
import { createKit, runToEnd, says, settle } from "./testing/agent-kit.ts";

function text(token: string): TextGenerationEvent {
  return {
    eventId: token,
    type: "text_generation",
    timestamp: "2026-01-01T00:00:00.000Z",
    requestId: "r1",
    iterationNumber: 1,
    token,
    isComplete: false,
    tokenCount: 1,
    isThinking: false,
    sequenceIndex: 0,
    source: "m",
  };
}

const changed: AgentEvent = {
  eventId: "s",
  type: "state_changed",
  timestamp: "2026-01-01T00:00:00.000Z",
  requestId: "r1",
  iterationNumber: 1,
  previousState: "idle",
  currentState: "initializing",
  transition: "start",
};

describe("a subscriber", () => {
  it("gets the events of its type, typed, until it unsubscribes", () => {
    const emitter = new AgentEventEmitter();
    const seen: string[] = [];
    const subscription = emitter.on("text_generation", (event) => {
      expectTypeOf(event).toEqualTypeOf<TextGenerationEvent>();
      seen.push(event.token);
    });
    emitter.emit(text("a"));
    emitter.emit(changed);
    subscription[Symbol.dispose]();
    emitter.emit(text("b"));
    expect(seen).toEqual(["a"]);
  });

  it("may want all events", () => {
    const emitter = new AgentEventEmitter();
    const seen: string[] = [];
    using _ = emitter.onAny((event) => seen.push(event.type));
    emitter.emit(text("a"));
    emitter.emit(changed);
    expect(seen).toEqual(["text_generation", "state_changed"]);
  });

  it("may subscribe twice with the same function", () => {
    const emitter = new AgentEventEmitter();
    const seen: string[] = [];
    const handler = (event: AgentEvent) => seen.push(event.eventId);
    const first = emitter.onAny(handler);
    emitter.onAny(handler);
    first[Symbol.dispose]();
    emitter.emit(text("a"));
    expect(seen).toEqual(["a"]);
  });

  it("that fails, at once or later, disturbs nobody and is reported", async () => {
    const failures: unknown[] = [];
    const emitter = new AgentEventEmitter((error) => failures.push(error));
    const seen: string[] = [];
    emitter.on("text_generation", () => {
      throw new Error("at once");
    });
    emitter.on("text_generation", () => Promise.reject(new Error("later")));
    emitter.on("text_generation", (event) => seen.push(event.token));
    emitter.emit(text("a"));
    await settle();
    expect(seen).toEqual(["a"]);
    expect(failures.map(String)).toEqual(["Error: at once", "Error: later"]);
  });

  it("that fails does not disturb the run either", async () => {
    const { agent } = createKit([[says("ok")]], {
      onSubscriberError: () => {
        throw new Error("even the reporter fails");
      },
    });
    agent.events.onAny(() => {
      throw new Error("no");
    });
    const { events } = await runToEnd(agent);
    expect(events.at(-1)).toMatchObject({ reason: "finished" });
  });

  it("sees exactly the events of the run", async () => {
    const { agent } = createKit([[says("ok")]]);
    const seen: AgentEvent[] = [];
    agent.events.onAny((event) => seen.push(event));
    const { events } = await runToEnd(agent);
    expect(seen).toEqual(events);
  });
});

describe("a stream of one type", () => {
  it("has what was emitted since, in order, and ends when the emitter is closed", async () => {
    const emitter = new AgentEventEmitter();
    emitter.emit(text("before"));
    const stream = emitter.stream("text_generation");
    for (const token of ["a", "b"]) emitter.emit(text(token));
    emitter.emit(changed);
    emitter.close();
    emitter.emit(text("after"));
    const tokens: string[] = [];
    for await (const event of stream) tokens.push(event.token);
    expect(tokens).toEqual(["a", "b"]);
  });

  it("waits for what is to come", async () => {
    const emitter = new AgentEventEmitter();
    const stream = emitter.stream("text_generation");
    const next = stream.next();
    await settle();
    emitter.emit(text("a"));
    expect(await next).toMatchObject({ value: { token: "a" } });
  });

  it.each(["aborted", "left"])("ends when it is %s, and its subscription with it", async (how) => {
    const emitter = new AgentEventEmitter();
    const controller = new AbortController();
    const stream = emitter.stream("text_generation", controller.signal);
    const waiting = stream.next();
    if (how === "aborted") controller.abort();
    else await stream.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    emitter.emit(text("a"));
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  it("ends at once when its signal was aborted before", async () => {
    const stream = new AgentEventEmitter().stream("text_generation", AbortSignal.abort());
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });
});
