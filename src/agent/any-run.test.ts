import fc from "fast-check";
import { expect, it } from "vitest";
import { ModelError } from "../model/model-error.ts";
import type { ModelEvent, StopReason } from "../model/model-event.ts";
import type { ScriptedAnswer } from "../providers/scripted/scripted-provider.ts";
import { failed, succeeded } from "../tools/tool-result.ts";
import { calls, createKit, ends, ofType, runToEnd, says, thinks } from "./testing/agent-kit.ts";
import { orphansIn } from "./testing/orphans.ts";
import { aTool } from "./testing/tools.ts";

const path = fc.constantFrom("ok", "fails", "throws", "hangs", "long");
const toolId = fc.constantFrom("read", "write", "no_such_tool");
const callId = fc.constantFrom("a", "b", "");

const modelEvent: fc.Arbitrary<ModelEvent> = fc.oneof(
  fc.constantFrom(says("text "), thinks("hm ")),
  fc.tuple(toolId, path, callId).map(([tool, where, id]) => calls(tool, { path: where }, id)),
  fc.tuple(toolId, callId).map(([tool, id]) => calls(tool, { wrong: 1 }, id)),
  callId.map((id) => ({ type: "tool_call_started", callId: id, name: "read" }) as const),
  fc.constantFrom('{path: "ok",}', '{"path": ', "nonsense").map(
    (text): ModelEvent => ({
      type: "tool_call_ready",
      call: { id: "m", name: "read", arguments: {}, malformedArguments: text },
    }),
  ),
);
const reasons: StopReason[] = ["stop", "tool_calls", "length", "paused", "other", "refused"];
const ending = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...reasons).map((reason) => ends(reason)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(new ModelError("network", "gone"), new ModelError("context_overflow", "full")),
  },
);
const answer: fc.Arbitrary<ScriptedAnswer> = fc
  .tuple(fc.array(modelEvent, { maxLength: 5 }), ending)
  .map(([events, end]) => [...events, end]);

const plan = fc.record({
  answers: fc.array(answer, { minLength: 1, maxLength: 5 }),
  verdict: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
  reply: fc.constantFrom("approve", "deny", "cancel", "edit", "silence"),
  maxIterations: fc.integer({ min: 1, max: 4 }),
  maxParallelToolCalls: fc.integer({ min: 1, max: 3 }),
  cancelAt: fc.option(fc.nat(40), { nil: undefined }),
  streamingBufferSize: fc.integer({ min: 1, max: 3 }),
  includeToolResultsInHistory: fc.boolean(),
});

function toolsFor() {
  const run = (where: string, signal: AbortSignal) => {
    if (where === "fails") return failed("no");
    if (where === "throws") throw new Error("broken tool");
    if (where === "long") return succeeded("line\n".repeat(1_000));
    if (where !== "hangs") return succeeded("fine");
    return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  return [
    aTool({ id: "read", run: (args, { signal }) => run(args.path, signal) }),
    aTool({
      id: "write",
      readOnly: false,
      touches: (args) => [args.path],
      run: (args, { signal }) => run(args.path, signal),
    }),
  ];
}

it("whatever happens in it, a run is a legal walk with a whole conversation and one end", async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const { maxParallelToolCalls, streamingBufferSize, includeToolResultsInHistory } = given;
      const kit = createKit((_request, turn) => given.answers[turn % given.answers.length] ?? [], {
        tools: toolsFor(),
        policy: { judge: () => ({ answer: given.verdict, reason: "plan", source: "user" }) },
        approver: "events",
        settings: {
          maxParallelToolCalls,
          streamingBufferSize,
          includeToolResultsInHistory,
          maxToolResultTokens: 200,
        },
      });
      let seen = 0;
      const { events, messages } = await runToEnd(
        kit.agent,
        { maxIterations: given.maxIterations },
        async (event) => {
          if (seen === given.cancelAt) kit.agent.cancel();
          seen += 1;
          if (event.type === "tool_execution" && event.status === "starting") {
            setImmediate(() => kit.clock.advance(120_000));
          }
          if (event.type !== "approval_request" || kit.agent.state !== "waiting_for_approval") return;
          const { id } = event.request;
          if (given.reply === "approve") await kit.agent.provideApproval(id, { approved: true });
          else if (given.reply === "deny") await kit.agent.provideApproval(id, { approved: false });
          else if (given.reply === "cancel")
            await kit.agent.provideApproval(id, { approved: false, cancelsRequest: true });
          else if (given.reply === "edit")
            await kit.agent.provideApproval(id, { approved: true, modifiedParameters: { path: "ok" } });
          else setImmediate(() => kit.clock.advance(300_000));
        },
      );

      const [complete] = ofType(events, "agent_complete");
      expect(complete?.totalIterations).toBeLessThanOrEqual(given.maxIterations);
      const fatal = ofType(events, "agent_error").filter((event) => event.isFatal);
      expect(fatal).toHaveLength(complete?.reason === "error" || complete?.reason === "timeout" ? 1 : 0);
      for (const request of kit.provider.requests) expect(orphansIn(request.messages)).toEqual([]);
      expect(messages.every((message) => message.content.length > 0)).toBe(true);
      const ids = messages.flatMap((message) => (message.role === "tool" ? [message.callId] : []));
      expect(new Set(ids).size).toBe(ids.length);
      if (complete?.reason === "finished" || complete?.reason === "max_iterations") {
        const asked = ofType(events, "tool_call_request").map((event) => event.request.id);
        expect(ofType(events, "tool_result").map((event) => event.callId)).toEqual(asked);
      }
      expect(kit.clock.pendingTimers).toBe(0);
      expect(kit.agent.isProcessing).toBe(false);
    }),
    { numRuns: 300 },
  );
});
