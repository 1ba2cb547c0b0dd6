import { describe, expect, it } from "vitest";
import { ToolRegistry } from "../tools/tool-registry.ts";
import { failed, succeeded } from "../tools/tool-result.ts";
import { Agent } from "./agent.ts";
import { askAll, calls, createKit, ofType, outline, runToEnd, says } from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";

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
