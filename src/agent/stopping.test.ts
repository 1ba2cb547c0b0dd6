import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { textOf } from "../model/message.ts";
import { succeeded } from "../tools/tool-result.ts";
import type { AgentEvent, AgentEventType } from "./agent-event.ts";
import {
  aRequest,
  askAll,
  calls,
  checkRun,
  createKit,
  type KitOptions,
  ofType,
  outline,
  runToEnd,
  says,
  settle,
} from "./testing/agent-kit.ts";
import { aTool } from "./testing/tools.ts";

/** A tool that ends only when it is told to, or never. */
function slowTool(onAbort: "returns" | "throws" | "ignores", id = "slow") {
  const log: string[] = [];
  const tool = aTool({
    id,
    run: (_args, { signal }) => {
      log.push("started");
      return new Promise((resolve, reject) => {
        if (onAbort === "ignores") return;
        signal.addEventListener("abort", () => {
          log.push("stopped");
          if (onAbort === "throws") reject(signal.reason);
          else resolve(succeeded("half of it"));
        });
      });
    },
  });
  return { tool, log };
}

const slowScript = [[says("Let me see."), calls("slow", { path: "a" }, "c1")], [says("ok")]];

function slowKit(onAbort: "returns" | "throws" | "ignores", options: KitOptions = {}) {
  const { tool, log } = slowTool(onAbort);
  return { log, ...createKit(slowScript, { tools: [tool], ...options }) };
}

/** Runs, and does something when the first event of a kind has come. */
async function runUntil(
  kit: ReturnType<typeof createKit>,
  type: AgentEventType,
  act: () => void,
  signal?: AbortSignal,
) {
  let acted = false;
  return runToEnd(
    kit.agent,
    {},
    (event) => {
      if (event.type !== type || acted) return;
      acted = true;
      setImmediate(act);
    },
    signal,
  );
}

describe("a tool that takes too long", () => {
  it("has timed out, which is neither a failure nor a cancellation", async () => {
    const kit = slowKit("throws");
    const { events, messages } = await runUntil(kit, "tool_execution", () => kit.clock.advance(120_000));
    expect(kit.log).toEqual(["started", "stopped"]);
    expect(outline(events).filter((line) => line.includes("c1"))).toEqual([
      "call c1 1/1",
      "starting c1",
      "timed_out c1",
      "result c1 timed_out",
    ]);
    expect(messages[2]).toMatchObject({
      isError: true,
      content: [{ text: "Timed out after 120 s and was stopped." }],
    });
    expect(ofType(events, "tool_result")[0]?.duration).toBe(120_000);
    expect(events.at(-1)).toMatchObject({
      reason: "finished",
      finalResponse: "ok",
      toolUsage: [{ failureCount: 1 }],
    });
  });

  it("may still say what it had", async () => {
    const kit = slowKit("returns");
    const { messages } = await runUntil(kit, "tool_execution", () => kit.clock.advance(120_000));
    expect(messages[2]).toMatchObject({
      content: [{ text: expect.stringMatching(/Timed out.*\nhalf of it/s) }],
    });
  });

  it("is left behind when it does not listen", async () => {
    const kit = slowKit("ignores");
    const { messages } = await runUntil(kit, "tool_execution", () => {
      kit.clock.advance(120_000);
      setImmediate(() => kit.clock.advance(1_000));
    });
    expect(messages[2]).toMatchObject({
      content: [{ text: expect.stringContaining("may still be at work") }],
    });
    expect(kit.clock.pendingTimers).toBe(0);
  });

  it("cannot report progress afterwards", async () => {
    let report: (() => void) | undefined;
    const tool = aTool({
      run: (_args, { reportProgress }) => {
        report = () => reportProgress({ current: 1, total: 2 });
        return succeeded("done");
      },
    });
    const { agent } = createKit([[calls("read_file", { path: "a" })], [says("ok")]], { tools: [tool] });
    const seen: string[] = [];
    agent.events.on("tool_execution", (event) => seen.push(event.status));
    await runToEnd(agent, {}, (event) => (event.type === "agent_iteration" ? report?.() : undefined));
    expect(seen).toEqual(["starting", "completed"]);
  });
});

describe("a request that takes too long", () => {
  it("ends as a timeout, not as a cancellation", async () => {
    const kit = slowKit("throws", { settings: { requestTimeoutMs: 120_000, toolTimeoutMs: 120_000 } });
    kit.clock.advance(1);
    const running = runUntil(kit, "tool_execution", () => kit.clock.advance(120_000));
    const { events, messages } = await running;
    expect(outline(events).slice(-3)).toEqual([
      "error timeout_error request_timeout",
      "→ error",
      "complete timeout",
    ]);
    expect(events.at(-1)).toMatchObject({ wasCancelled: false });
    expect(messages.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
  });

  it("ends in the middle of an answer, whose words are kept", async () => {
    const provider = {
      name: "stuck",
      async *stream() {
        yield says("The beginning");
        await new Promise(() => {});
      },
    };
    const kit = createKit([], { model: { provider, id: "m" } });
    const { events, messages } = await runUntil(kit, "text_generation", () => kit.clock.advance(600_000));
    expect(events.at(-1)).toMatchObject({ reason: "timeout", finalResponse: "The beginning" });
    expect(messages.map(textOf)).toEqual(["do it", "The beginning"]);
  });
});

describe("a request that is cancelled", () => {
  it("before it begins, ends at once", async () => {
    const kit = createKit([[says("never")]]);
    const { events } = await runToEnd(kit.agent, {}, undefined, AbortSignal.abort());
    expect(outline(events)).toEqual(["→ initializing", "→ cancelled", "complete cancelled"]);
    expect(kit.provider.requests).toEqual([]);
  });

  it("in the middle of an answer, keeps its words and is no error", async () => {
    const kit = createKit([[says("Once upon"), 60_000, says(" a time")]]);
    const controller = new AbortController();
    const { events, messages } = await runUntil(
      kit,
      "text_generation",
      () => controller.abort(),
      controller.signal,
    );
    expect(outline(events).slice(-3)).toEqual(["text Once upon", "→ cancelled", "complete cancelled"]);
    expect(events.at(-1)).toMatchObject({ wasCancelled: true, finalResponse: "Once upon" });
    expect(messages.map(textOf)).toEqual(["do it", "Once upon"]);
  });

  it("in the middle of a call being written, drops the call", async () => {
    const kit = createKit([
      [
        says("I will"),
        calls("read_file", { path: "a" }),
        { type: "tool_call_started", callId: "x", name: "y" },
        says("!"),
        60_000,
      ],
    ]);
    const controller = new AbortController();
    let texts = 0;
    const { messages } = await runToEnd(
      kit.agent,
      {},
      (event) => {
        if (event.type === "text_generation" && ++texts === 2) setImmediate(() => controller.abort());
      },
      controller.signal,
    );
    expect(messages.at(-1)).toEqual({
      role: "assistant",
      content: [
        { type: "text", text: "I will" },
        { type: "text", text: "!" },
      ],
    });
  });

  it.each(["returns", "throws"] as const)(
    "while a tool runs that %s when told to stop, waits for it",
    async (onAbort) => {
      const kit = slowKit(onAbort);
      const { events, messages } = await runUntil(kit, "tool_execution", () => kit.agent.cancel("Enough."));
      expect(kit.log).toEqual(["started", "stopped"]);
      expect(outline(events).slice(-6)).toEqual([
        "starting c1",
        "cancelled c1",
        "result c1 cancelled",
        "→ processing_result",
        "→ cancelled",
        "complete cancelled",
      ]);
      expect(messages[2]).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining("Enough.") }],
      });
    },
  );

  it("while a tool runs that does not listen, ends all the same", async () => {
    const kit = slowKit("ignores");
    const { events } = await runUntil(kit, "tool_execution", () => {
      kit.agent.cancel();
      setImmediate(() => kit.clock.advance(1_000));
    });
    expect(events.at(-1)).toMatchObject({ reason: "cancelled" });
  });

  it("just as a tool ends by itself, leaves no timer behind", async () => {
    for (let ticks = 0; ticks < 12; ticks += 1) {
      const tool = aTool({
        run: () => {
          void cancelAfter(ticks);
          return succeeded("done");
        },
      });
      const kit = createKit([[calls("read_file", { path: "a" }, "c1")]], { tools: [tool] });
      const cancelAfter = async (left: number) => {
        for (let tick = 0; tick < left; tick += 1) await Promise.resolve();
        kit.agent.cancel();
      };
      const { events } = await runToEnd(kit.agent);
      expect(ofType(events, "tool_result")[0]?.result.content).toContain("done");
      expect(kit.clock.pendingTimers).toBe(0);
    }
  });

  it("while calls still wait their turn, does not start them", async () => {
    const slow = slowTool("returns");
    const kit = createKit(
      [
        [
          calls("slow", { path: "a" }, "1"),
          calls("slow", { path: "b" }, "2"),
          calls("slow", { path: "c" }, "3"),
        ],
      ],
      {
        tools: [slow.tool],
        settings: { maxParallelToolCalls: 1 },
      },
    );
    const { events } = await runUntil(kit, "tool_execution", () => kit.agent.cancel());
    expect(slow.log).toEqual(["started", "stopped"]);
    expect(ofType(events, "tool_result").map((event) => event.result.content)).toEqual([
      expect.stringContaining("half of it"),
      "Not run: the request was stopped before its turn came.",
      "Not run: the request was stopped before its turn came.",
    ]);
    expect(events.at(-1)).toMatchObject({ toolCallsExecuted: 1 });
  });

  it("while it waits for an approval, closes the question", async () => {
    const kit = slowKit("throws", { policy: askAll, approver: "events" });
    const { events } = await runUntil(kit, "approval_request", () => kit.agent.cancel());
    expect(outline(events).slice(-2)).toEqual(["→ cancelled", "complete cancelled"]);
    expect(await kit.agent.provideApproval("c1", { approved: true })).toMatchObject({ why: "expired" });
    expect(kit.log).toEqual([]);
    expect(kit.clock.pendingTimers).toBe(0);
  });

  it("while a policy thinks for ever, ends all the same", async () => {
    const kit = slowKit("throws", { policy: { judge: () => new Promise(() => {}) } });
    const { events } = await runUntil(kit, "tool_call_request", () => kit.agent.cancel());
    expect(ofType(events, "agent_error")).toEqual([]);
    expect(events.at(-1)).toMatchObject({ reason: "cancelled" });
  });

  it("while it waits between iterations, ends at once", async () => {
    const kit = createKit([[calls("read_file", { path: "a" })]], {
      tools: [aTool()],
      settings: { iterationDelayMs: 60_000 },
    });
    const { events } = await runUntil(kit, "tool_result", () => kit.agent.cancel());
    expect(events.at(-1)).toMatchObject({ reason: "cancelled" });
    expect(kit.clock.pendingTimers).toBe(0);
  });

  it("leaves the agent ready for the next", async () => {
    const kit = createKit([[says("a"), 60_000], [says("b")]]);
    await runUntil(kit, "text_generation", () => kit.agent.cancel());
    const { events } = await runToEnd(kit.agent, { requestId: "r2" });
    expect(events.at(-1)).toMatchObject({ finalResponse: "b" });
  });

  it("does not listen to the caller's signal afterwards", async () => {
    const controller = new AbortController();
    const kit = createKit([[says("a")], [says("b")]]);
    await runToEnd(kit.agent, {}, undefined, controller.signal);
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
    controller.abort();
    const { events } = await runToEnd(kit.agent);
    expect(events.at(-1)).toMatchObject({ reason: "finished" });
  });
});

describe("a reader that leaves", () => {
  /** Leaves at the first event of a kind; gives what subscribers saw. */
  async function leaveAt(kit: ReturnType<typeof createKit>, leave: (event: AgentEvent) => boolean) {
    const seen: AgentEvent[] = [];
    kit.agent.events.onAny((event) => seen.push(event));
    const run = kit.agent.run(aRequest);
    for await (const event of run) if (leave(event)) break;
    checkRun(seen, run.messages, aRequest);
    return { seen, messages: run.messages };
  }

  it("at any event stops everything, and leaves a whole conversation", async () => {
    for (let at = 0; ; at += 1) {
      const kit = slowKit("throws", { approver: "events", policy: askAll });
      kit.agent.events.on("approval_request", (event) =>
        kit.agent.provideApproval(event.request.id, { approved: true }),
      );
      kit.agent.events.on("tool_execution", (event) => {
        if (event.status === "starting") setImmediate(() => kit.clock.advance(120_000));
      });
      let count = 0;
      const { seen } = await leaveAt(kit, () => count++ === at);
      expect(kit.clock.pendingTimers).toBe(0);
      expect(kit.agent.isProcessing).toBe(false);
      if (count <= at) {
        expect(seen.at(-1)).toMatchObject({ reason: "finished" });
        expect(at).toBeGreaterThan(15);
        break;
      }
    }
  });

  it("while a tool runs, waits until it has stopped", async () => {
    const kit = slowKit("throws");
    const { seen, messages } = await leaveAt(kit, (event) => event.type === "tool_execution");
    expect(kit.log).toEqual(["started", "stopped"]);
    expect(seen.at(-1)).toMatchObject({ type: "agent_complete", reason: "cancelled" });
    expect(messages.at(-1)).toMatchObject({ role: "tool", callId: "c1" });
  });

  it("closes the model's stream", async () => {
    let closed = false;
    const provider = {
      name: "endless",
      async *stream() {
        try {
          for (;;) yield says("x");
        } finally {
          closed = true;
        }
      },
    };
    const kit = createKit([], { model: { provider, id: "m" } });
    await leaveAt(kit, (event) => event.type === "text_generation");
    await settle();
    expect(closed).toBe(true);
  });

  it("while the next event is on its way, still gets out", async () => {
    const kit = slowKit("throws");
    const run = kit.agent.run(aRequest);
    const seen: AgentEvent[] = [];
    while (seen.at(-1)?.type !== "tool_execution") {
      const step = await run.next();
      if (!step.done) seen.push(step.value);
    }
    const pending = run.next();
    const left = run.return();
    expect(await pending).toMatchObject({ done: false });
    expect(await left).toMatchObject({ done: true });
    expect(kit.log).toEqual(["started", "stopped"]);
    expect(kit.agent.isProcessing).toBe(false);
  });
});
