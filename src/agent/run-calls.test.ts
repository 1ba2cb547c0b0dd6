import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { succeeded } from "../tools/tool-result.ts";
import { calls, createKit, ofType, outline, runToEnd, says, settle } from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";

type Access = { readonly tool: "read" | "write" | "shell"; readonly path: string };

/** Tools whose calls wait to be let go; `trace` has their starts and ends. */
function gatedTools() {
  const trace: string[] = [];
  const gates = new Map<string, () => void>();
  let running = 0;
  let mostRunning = 0;
  const gated = (id: string, readOnly: boolean, saysPaths: boolean) =>
    aTool({
      id,
      readOnly,
      ...(saysPaths ? { touches: ({ path }) => [path.replace(/#.*/, "")] } : {}),
      run: async (_args, { callId }) => {
        trace.push(`+${callId}`);
        running += 1;
        mostRunning = Math.max(mostRunning, running);
        await new Promise<void>((resolve) => gates.set(callId, resolve));
        running -= 1;
        trace.push(`-${callId}`);
        return succeeded(`result of ${callId}`);
      },
    });
  return {
    tools: [gated("read", true, true), gated("write", false, true), gated("shell", false, false)],
    trace,
    letGo: (callId: string) => {
      gates.get(callId)?.();
      gates.delete(callId);
    },
    waiting: () => [...gates.keys()],
    mostRunning: () => mostRunning,
  };
}

function start(accesses: readonly Access[], maxParallelToolCalls = 10) {
  const gates = gatedTools();
  const answer = accesses.map(({ tool, path }, index) => calls(tool, { path }, String(index)));
  const kit = createKit([answer, [says("ok")]], { tools: gates.tools, settings: { maxParallelToolCalls } });
  return { gates, running: runToEnd(kit.agent) };
}

describe("calls of one answer", () => {
  const rows: [string, Access[], string[]][] = [
    ["reads run side by side", [read("a"), read("a"), read("b")], ["0", "1", "2"]],
    ["writes to different files run side by side", [write("a"), write("b")], ["0", "1"]],
    ["writes to one file run in turn", [write("a"), write("a")], ["0"]],
    ["a read waits for a write to its file before it", [write("a"), read("a"), read("b")], ["0", "2"]],
    ["a write waits for a read of its file before it", [read("a"), write("a")], ["0"]],
    ["a folder holds its files", [write("src/a"), read("src"), read("srcs")], ["0", "2"]],
    ["the workspace holds everything", [write("src/a"), read(".")], ["0"]],
    [
      "one file can be written in several ways",
      [write("src/a"), read("./src/../src/a"), read("src\\a")],
      ["0"],
    ],
    ["what may touch anything runs alone", [read("a"), shell("x"), read("b")], ["0"]],
    ["nothing overtakes what may touch anything", [shell("x"), read("a"), write("b")], ["0"]],
  ];
  it.each(rows)("%s", async (_name, accesses, together) => {
    const { gates, running } = start(accesses);
    await settle();
    expect(gates.waiting()).toEqual(together);
    for (let round = 0; round < accesses.length; round += 1) {
      for (const id of gates.waiting()) gates.letGo(id);
      await settle();
    }
    const { events } = await running;
    expect(ofType(events, "tool_result").map((event) => event.callId)).toEqual(
      accesses.map((_, index) => `${index}`),
    );
  });

  it("run up to the limit at once", async () => {
    const { gates, running } = start([read("a"), read("b"), read("c"), read("d")], 2);
    await settle();
    expect(gates.waiting()).toEqual(["0", "1"]);
    gates.letGo("1");
    await settle();
    expect(gates.waiting()).toEqual(["0", "2"]);
    gates.letGo("2");
    gates.letGo("0");
    await settle();
    gates.letGo("3");
    await running;
    expect(gates.mostRunning()).toBe(2);
  });

  it("have their results in the order of the calls, however they end", async () => {
    const { gates, running } = start([read("a"), read("b"), read("c")]);
    await settle();
    for (const id of ["2", "0", "1"]) {
      gates.letGo(id);
      await settle();
    }
    const { events, messages } = await running;
    expect(outline(events).filter((line) => /^(starting|completed|result)/.test(line))).toEqual([
      "starting 0",
      "starting 1",
      "starting 2",
      "completed 2",
      "completed 0",
      "result 0 completed",
      "completed 1",
      "result 1 completed",
      "result 2 completed",
    ]);
    expect(messages.slice(2, 5)).toMatchObject([{ callId: "0" }, { callId: "1" }, { callId: "2" }]);
  });

  it("never run past one they must wait for, and all come to an end", async () => {
    const access = fc.record({
      tool: fc.constantFrom("read" as const, "write" as const, "shell" as const),
      path: fc.constantFrom("a", "b", "a/x"),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(access, { minLength: 1, maxLength: 7 }),
        fc.integer({ min: 1, max: 4 }),
        fc.infiniteStream(fc.nat(100)),
        async (accesses, limit, choices) => {
          const { gates, running } = start(accesses, limit);
          for (let ended = 0; ended < accesses.length; ended += 1) {
            await settle();
            const waiting = gates.waiting();
            const chosen = waiting[(choices.next().value ?? 0) % waiting.length];
            if (chosen !== undefined) gates.letGo(chosen);
          }
          await running;
          expect(gates.mostRunning()).toBeLessThanOrEqual(limit);
          expect(gates.trace).toHaveLength(accesses.length * 2);
          for (const [later, access] of accesses.entries()) {
            for (const [earlier, before] of accesses.slice(0, later).entries()) {
              if (!conflict(access, before)) continue;
              expect(gates.trace.indexOf(`-${earlier}`)).toBeLessThan(gates.trace.indexOf(`+${later}`));
            }
          }
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe("progress", () => {
  it("that nobody has read yet is replaced by newer progress", async () => {
    const tool = aTool({
      run: (_args, { reportProgress }) => {
        for (let current = 1; current <= 1_000; current += 1) reportProgress({ current, total: 1_000 });
        return succeeded("done");
      },
    });
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], { tools: [tool] });
    const { events } = await runToEnd(agent);
    const seen = ofType(events, "tool_execution").flatMap((event) =>
      event.progress ? [event.progress.current] : [],
    );
    expect(seen).toEqual([1_000]);
  });
});

function read(path: string): Access {
  return { tool: "read", path };
}

function write(path: string): Access {
  return { tool: "write", path };
}

function shell(path: string): Access {
  return { tool: "shell", path };
}

/** Written again, and more simply, than the code under test: paths here are "a", "b" and "a/x". */
function conflict(one: Access, other: Access): boolean {
  if (one.tool === "read" && other.tool === "read") return false;
  if (one.tool === "shell" || other.tool === "shell") return true;
  return one.path[0] === other.path[0];
}
