import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AssistantMessage, type Message, userMessage } from "../model/message.ts";
import { orphansIn } from "./testing/orphans.ts";
import { pairCalls, partialAnswer, Transcript } from "./transcript.ts";

function answer(text: string, ...callIds: string[]): AssistantMessage {
  const calls = callIds.map((id) => ({
    type: "tool_call" as const,
    call: { id, name: "look", arguments: {} },
  }));
  return { role: "assistant", content: [{ type: "text", text }, ...calls] };
}

function result(callId: string, text = "seen"): Message {
  return { role: "tool", callId, toolName: "look", content: [{ type: "text", text }], isError: false };
}

describe("a transcript", () => {
  it("keeps what the run added apart from the history", () => {
    const history = [userMessage("hi"), answer("hello")];
    const transcript = new Transcript(history);
    transcript.add(userMessage("look"));
    transcript.add(answer("looking", "a", "b"));
    transcript.addResult("a", [{ type: "text", text: "1" }], false);
    transcript.addResult("b", [{ type: "text", text: "2" }], true);
    expect(transcript.added).toHaveLength(4);
    expect(transcript.snapshot()).toEqual([...history, ...transcript.added]);
    expect(transcript.added.at(-1)).toEqual({
      role: "tool",
      callId: "b",
      toolName: "look",
      content: [{ type: "text", text: "2" }],
      isError: true,
    });
  });

  it("gives out snapshots that later messages do not change", () => {
    const transcript = new Transcript([]);
    const before = transcript.snapshot();
    transcript.add(userMessage("x"));
    expect(before).toEqual([]);
  });

  it("refuses results out of order and messages before them", () => {
    const transcript = new Transcript([]);
    transcript.add(answer("", "a", "b"));
    expect(() => transcript.add(userMessage("x"))).toThrow("before the results");
    expect(() => transcript.addResult("b", [], false)).toThrow("A result came for b, not for a.");
  });

  it("answers open calls when it is closed", () => {
    const transcript = new Transcript([]);
    transcript.add(answer("", "a", "b"));
    transcript.addResult("a", [], false);
    transcript.close();
    transcript.close();
    expect(orphansIn(transcript.added)).toEqual([]);
    expect(transcript.added.at(-1)).toMatchObject({ callId: "b", isError: true });
    transcript.add(userMessage("go on"));
  });

  it("has the text of the last answer, joined over pauses", () => {
    const transcript = new Transcript([answer("old")]);
    expect(transcript.finalText()).toBe("");
    transcript.add(answer("first", "a"));
    transcript.addResult("a", [], false);
    transcript.add(answer("second "));
    transcript.add(answer("half"));
    expect(transcript.finalText()).toBe("second half");
    transcript.add(answer("third", "b"));
    transcript.close();
    expect(transcript.finalText()).toBe("second halfthird");
    transcript.add(answer("fourth", "c"));
    transcript.close();
    expect(transcript.finalText()).toBe("fourth");
  });

  it("never gives two calls of a conversation the same id", () => {
    const transcript = new Transcript([answer("", "c0"), result("c0")]);
    expect(["c0", "c0", "c1", "", ""].map((id) => transcript.claimCallId(id))).toEqual([
      "c0_2",
      "c0_3",
      "c1",
      "call",
      "call_2",
    ]);
    expect(transcript.claimCallId("c9", (id) => id === "c9" || id === "c9_2")).toBe("c9_3");
  });
});

describe("a history", () => {
  it("that is even stays the same", () => {
    const history = [userMessage("x"), answer("", "a", "b"), result("a"), result("b"), answer("done")];
    expect(pairCalls(history)).toBe(history);
  });

  it("gets a result for a call that has none", () => {
    const paired = pairCalls([userMessage("x"), answer("", "a", "b"), result("b")]);
    expect(paired.map((message) => (message.role === "tool" ? message.callId : message.role))).toEqual([
      "user",
      "assistant",
      "a",
      "b",
    ]);
  });

  it("keeps results with their own calls when ids come again", () => {
    const paired = pairCalls([
      answer("", "c0"),
      result("c0", "one"),
      answer("", "c0"),
      result("c0", "two"),
      answer("", "c0"),
    ]);
    expect(paired.flatMap((message) => (message.role === "tool" ? [message.content[0]] : []))).toMatchObject([
      { text: "one" },
      { text: "two" },
      { text: expect.stringContaining("Not finished") },
    ]);
  });

  it("becomes even, whatever it was, and loses nothing but orphans", () => {
    const id = fc.constantFrom("a", "b", "c");
    const message = fc.oneof(
      fc.constant(userMessage("x")),
      fc.uniqueArray(id, { maxLength: 3 }).map((ids) => answer("y", ...ids)),
      id.map((one) => result(one)),
    );
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (history) => {
        const paired = pairCalls(history);
        expect(orphansIn(paired)).toEqual([]);
        const spoken = (messages: readonly Message[]) => messages.filter((one) => one.role !== "tool");
        expect(spoken(paired)).toEqual(spoken(history));
      }),
    );
  });
});

it("keeps the words of an answer that broke off, and nothing else", () => {
  const broken: AssistantMessage = {
    role: "assistant",
    content: [{ type: "thinking", text: "hm" }, ...answer("so far", "a").content],
  };
  expect(partialAnswer(broken)).toEqual({ role: "assistant", content: [{ type: "text", text: "so far" }] });
  expect(partialAnswer({ role: "assistant", content: [{ type: "text", text: " \n" }] })).toBeUndefined();
});
