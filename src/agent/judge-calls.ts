import { parsingError, permissionError } from "./agent-error.ts";
import type { AgentEvent } from "./agent-event.ts";
import { askApproval } from "./ask-approval.ts";
import { askPolicy, basis, policyCall } from "./ask-policy.ts";
import { deniedCall, type JudgedCall } from "./judged-call.ts";
import type { PreparedCall } from "./prepare-calls.ts";
import type { RunContext } from "./run-context.ts";

type Steps<Result> = AsyncGenerator<AgentEvent, Result, void>;

/**
 * Judges the calls of one answer, one after the other, and asks where the policy asks. Nothing runs before all are
 * judged, so that whoever cancels at the last question leaves nothing half done.
 */
export async function* judgeCalls(
  run: RunContext,
  calls: readonly PreparedCall[],
): Steps<readonly JudgedCall[]> {
  const judged: JudgedCall[] = [];
  for (const call of calls) {
    if (run.services.machine.currentState !== "parsing_tool_call") {
      yield run.move("detect_tool_call", call.request.toolId);
    }
    judged.push(yield* judgeCall(run, call));
  }
  return judged;
}

async function* judgeCall(run: RunContext, call: PreparedCall): Steps<JudgedCall> {
  if (!call.tool) {
    const { request, problem, unreadable } = call;
    if (unreadable)
      yield run.error(parsingError(request.toolName, request.validationResult.errors.join(" ")));
    return { request, tool: undefined, status: "validation_failed", text: problem };
  }
  const { decision, thrown } = await askPolicy(run, policyCall(run, call));
  if (thrown !== undefined) yield run.error(permissionError(call.request.toolName, thrown));
  const permission = { ...basis(run, decision), allowed: decision.answer === "allow" };
  if (decision.answer === "allow") return { ...call, permission };
  if (decision.answer === "deny") return deniedCall(call, permission);
  if (run.services.approver === "nobody") {
    const reason = `${decision.reason} It needs approval, and nobody is here to give it.`;
    return deniedCall(call, { ...permission, reason, source: "nobody" });
  }
  return yield* askApproval(run, call, decision);
}
