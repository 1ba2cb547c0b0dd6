import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MessageAssembler } from "./assemble-message.ts";
import { textOf } from "./message.ts";
import type { ModelEvent } from "./model-event.ts";
import { noUsage } from "./usage.ts";

const text = (words: string, seal?: string): ModelEvent => ({
  type: "text_delta",
  text: words,
  ...(seal && { signature: { origin: "test", value: seal } }),
});
const thinking = (words: string, seal?: string): ModelEvent => ({
  type: "thinking_delta",
  text: words,
  ...(seal && { signature: { origin: "test", value: seal } }),
});
const started = (callId: string, name = "read"): ModelEvent => ({ type: "tool_call_started", callId, name });
const args = (callId: string, json: string): ModelEvent => ({
  type: "tool_call_args_delta",
  callId,
  text: json,
});
const callOf = (id: string) => ({ id, name: "read", arguments: { path: id } });
const ready = (id: string): ModelEvent => ({ type: "tool_call_ready", call: callOf(id) });
const trace: ModelEvent = { type: "trace", name: "odd" };
const usage = { ...noUsage, inputTokens: 5, outputTokens: 7 };
const completed: ModelEvent = { type: "response_completed", reason: "stop", usage };

function assembled(...events: readonly ModelEvent[]) {
  const assembler = new MessageAssembler();
  for (const event of events) assembler.add(event);
  return assembler.snapshot();
}

describe("an assembled message", () => {
  it("is empty before anything has come", () => {
    expect(assembled()).toEqual({
      message: { role: "assistant", content: [] },
      calls: [],
      unfinished: [],
      reason: undefined,
      usage: noUsage,
    });
  });

  it("joins the pieces of each block and keeps blocks in order", () => {
    const { message } = assembled(
      thinking("Let me "),
      thinking("see."),
      text("I "),
      text("look."),
      started("a"),
      args("a", "{}"),
      ready("a"),
      text("Done."),
    );
    expect(message.content).toEqual([
      { type: "thinking", text: "Let me see." },
      { type: "text", text: "I look." },
      { type: "tool_call", call: callOf("a") },
      { type: "text", text: "Done." },
    ]);
    expect(textOf(message)).toBe("I look.Done.");
  });

  it("closes a block at its signature, and the next piece opens another", () => {
    const { message } = assembled(
      thinking("One"),
      thinking("", "seal 1"),
      thinking("Two", "seal 2"),
      thinking("Three"),
    );
    expect(message.content).toEqual([
      { type: "thinking", text: "One", signature: { origin: "test", value: "seal 1" } },
      { type: "thinking", text: "Two", signature: { origin: "test", value: "seal 2" } },
      { type: "thinking", text: "Three" },
    ]);
  });

  it("keeps a signature without words: redacted thinking, or a sealed end of a text", () => {
    expect(assembled(thinking("", "seal"), text("", "other")).message.content).toEqual([
      { type: "thinking", text: "", signature: { origin: "test", value: "seal" } },
      { type: "text", text: "", signature: { origin: "test", value: "other" } },
    ]);
  });

  it("has no blocks for empty pieces", () => {
    expect(assembled(text(""), thinking(""), started("a"), text("")).message.content).toEqual([]);
  });

  it("keeps calls in the order in which they became whole", () => {
    const { calls, unfinished } = assembled(started("a"), started("b"), ready("b"), ready("a"));
    expect(calls.map((call) => call.id)).toEqual(["b", "a"]);
    expect(unfinished).toEqual([]);
  });

  it("names the calls that never became whole, with what came of their arguments", () => {
    const { message, calls, unfinished } = assembled(
      started("a"),
      args("a", '{"pa'),
      started("b", "write"),
      args("a", 'th":'),
      args("unknown", "lost"),
    );
    expect(message.content).toEqual([]);
    expect(calls).toEqual([]);
    expect(unfinished).toEqual([
      { callId: "a", name: "read", argumentsText: '{"path":' },
      { callId: "b", name: "write", argumentsText: "" },
    ]);
  });

  it("takes a call that was never announced", () => {
    expect(assembled(ready("a")).calls).toEqual([callOf("a")]);
  });

  it("tells how the answer ended and what it cost", () => {
    expect(assembled(text("Hi"), completed)).toMatchObject({ reason: "stop", usage });
  });

  it("is not touched by what is only traced", () => {
    expect(assembled(text("a"), trace, text("b")).message.content).toEqual([{ type: "text", text: "ab" }]);
  });

  it("can be looked at in between, and a look does not change with what comes later", () => {
    const assembler = new MessageAssembler();
    assembler.add(text("One"));
    const early = assembler.snapshot();
    assembler.add(text(" two"));
    assembler.add(ready("a"));
    expect(early.message.content).toEqual([{ type: "text", text: "One" }]);
    expect(assembler.snapshot().message.content).toHaveLength(2);
  });
});

describe("properties of assembling", () => {
  const words = fc.string();
  const event = fc.oneof(
    words.map((piece) => text(piece)),
    words.map((piece) => thinking(piece)),
    words.map((piece) => thinking(piece, "seal")),
    fc.constantFrom("a", "b", "c").chain((id) => fc.constantFrom(started(id), args(id, "{"), ready(id))),
    fc.constant(trace),
  );

  it("no word is lost or made up, and none changes its place within its kind", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { message } = assembled(...events);
        const written = (type: string) =>
          events.map((each) => (each.type === type && "text" in each ? each.text : ""));
        const kept = (type: string) =>
          message.content.map((part) => (part.type === type && "text" in part ? part.text : ""));
        expect(kept("text").join("")).toBe(written("text_delta").join(""));
        expect(kept("thinking").join("")).toBe(written("thinking_delta").join(""));
      }),
    );
  });

  it("a text cut in other places is the same text", () => {
    fc.assert(
      fc.property(words, fc.nat(), (whole, at) => {
        const cut = at % (whole.length + 1);
        expect(assembled(text(whole.slice(0, cut)), text(whole.slice(cut)))).toEqual(assembled(text(whole)));
      }),
    );
  });

  it("looking at it often changes nothing", () => {
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const assembler = new MessageAssembler();
        for (const each of events) {
          assembler.add(each);
          assembler.snapshot();
        }
        expect(assembler.snapshot()).toEqual(assembled(...events));
      }),
    );
  });
});
