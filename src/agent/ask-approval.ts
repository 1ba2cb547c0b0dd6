import type { JsonObject } from "../model/json.ts";
import type { ApprovalDecision } from "../policy/approval-decision.ts";
import type { PolicyDecision } from "../policy/policy-decision.ts";
import { orAborted } from "./abortable.ts";
import { messageOf, permissionError } from "./agent-error.ts";
import type { AgentEvent, ApprovalRequestEvent, CallPermission } from "./agent-event.ts";
import { rememberAsker } from "./answer-approval.ts";
import type { Answer, EditCheck } from "./approvals.ts";
import { askPolicy, policyCall } from "./ask-policy.ts";
import { type ApprovedCall, deniedCall, type RefusedCall } from "./judged-call.ts";
import { checkArguments, type ReadyCall, riskOf, summarize } from "./prepare-calls.ts";
import type { AnswerApproval, RunContext } from "./run-context.ts";

/** Yields `approval_request` and waits for the answer, or until time is up, which denies. */
export async function* askApproval(
  run: RunContext,
  call: ReadyCall,
  decision: PolicyDecision,
): AsyncGenerator<AgentEvent, AnsweredCall, void> {
  const { approvals, approver, clock } = run.services;
  yield run.move("request_approval", call.request.executionSummary);
  const event = approvalRequest(run, call, decision);
  // A person's time is not the request's time.
  run.deadline.pause();
  const asked = ask(run, call, event);
  const closing = new AbortController();
  const askedAt = clock.now();
  try {
    yield run.emit(event);
    if (typeof approver === "function" && approvals.isOpen(event.request.id)) {
      void answerByFunction(run, event, approver, AbortSignal.any([run.signal, closing.signal]));
    }
    const { answer, call: answered } = await asked;
    if (answer && !answer.approved && answer.cancelsRequest) {
      run.cancel("The request was cancelled at an approval.");
      run.signal.throwIfAborted();
    }
    const judged = applyAnswer(run, answered, answer, clock.now() - askedAt);
    yield run.move(judged.tool ? "approval_granted" : "approval_denied", judged.permission.reason);
    const failure = await remember(run, answered, answer);
    if (failure) yield run.error(permissionError(call.request.toolName, failure.error));
    return judged;
  } finally {
    closing.abort();
    run.deadline.resume();
  }
}

function approvalRequest(run: RunContext, call: ReadyCall, decision: PolicyDecision): ApprovalRequestEvent {
  const { request } = call;
  return {
    ...run.base("approval_request"),
    request,
    summary: request.executionSummary,
    riskLevel: decision.riskLevel ?? request.riskLevel,
    reason: decision.reason,
    ...detailsOf(call, decision),
    ...(decision.warnings ? { warnings: decision.warnings } : {}),
    ...(decision.suggestedRules ? { suggestedRules: decision.suggestedRules } : {}),
    timeout: run.services.configuration.approvalTimeoutMs,
  };
}

type Asked = { readonly answer: Answer; readonly call: ReadyCall };

/** Opens the question. That comes before the event is out: a subscriber may answer while it is handed the event. */
function ask(run: RunContext, call: ReadyCall, event: ApprovalRequestEvent): Promise<Asked> {
  const { approvals } = run.services;
  let edited: ReadyCall | undefined;
  const checkEdit = async (parameters: JsonObject): Promise<EditCheck> => {
    try {
      const change = await judgeEdit(run, call, parameters);
      if ("why" in change) return change;
      edited = change;
      return { ok: true };
    } catch (error) {
      return { ok: false, why: "denied_by_policy", reason: messageOf(error) };
    }
  };
  rememberAsker(event, approvals);
  const question = { callId: event.request.id, timeoutMs: event.timeout, checkEdit };
  const asked = approvals.ask(question, run.signal).then((answer) => ({ answer, call: edited ?? call }));
  asked.catch(() => {
    // The run was stopped. Whoever awaits it hears of it; nobody does when the reader left at the event.
  });
  return asked;
}

async function remember(
  run: RunContext,
  call: ReadyCall,
  answer: Answer,
): Promise<{ readonly error: unknown } | undefined> {
  if (!answer?.remember || answer.remember.scope === "once") return undefined;
  try {
    await orAborted(run.services.policy.remember?.(policyCall(run, call), answer), run.signal);
    return undefined;
  } catch (error) {
    run.signal.throwIfAborted();
    return { error };
  }
}

type AnsweredCall = (ApprovedCall | RefusedCall) & { readonly permission: CallPermission };

function applyAnswer(
  run: RunContext,
  call: ReadyCall,
  answer: Answer,
  decisionDuration: number,
): AnsweredCall {
  const stamp = { decidedAt: run.timestamp(), decisionDuration };
  if (!answer) {
    const seconds = run.services.configuration.approvalTimeoutMs / 1_000;
    const reason = `Nobody answered within ${seconds} s.`;
    return deniedCall(call, { allowed: false, reason, source: "timeout", ...stamp });
  }
  const remember = answer.remember ? { remember: answer.remember } : {};
  if (!answer.approved) {
    const reason = answer.reason ?? "The user denied it.";
    return deniedCall(call, { allowed: false, reason, source: "answer", ...remember, ...stamp });
  }
  const reason = answer.modifiedParameters ? "The user changed and approved it." : "The user approved it.";
  const permission: CallPermission = { allowed: true, reason, source: "answer", ...remember, ...stamp };
  if (!answer.modifiedParameters) return { ...call, permission };
  return { ...call, permission, modifiedParameters: answer.modifiedParameters };
}

/** Parameters a person wrote are checked like the model's. Where the policy asks, the person has just answered. */
async function judgeEdit(
  run: RunContext,
  call: ReadyCall,
  parameters: JsonObject,
): Promise<ReadyCall | Extract<EditCheck, { ok: false }>> {
  const check = checkArguments(call.tool, parameters);
  if (!check.ok) return { ok: false, why: "invalid_parameters", reason: check.problems.join("; ") };
  const request = {
    ...call.request,
    parameters,
    riskLevel: riskOf(call.tool, check.args),
    executionSummary: summarize(call.tool, check.args),
  };
  const edited = { ...call, request, args: check.args };
  const { decision } = await askPolicy(run, policyCall(run, edited));
  if (decision.answer === "deny") return { ok: false, why: "denied_by_policy", reason: decision.reason };
  return edited;
}

/** Answers in the background: the question itself is what is waited for, and it ends when time is up. */
async function answerByFunction(
  run: RunContext,
  event: ApprovalRequestEvent,
  answer: AnswerApproval,
  signal: AbortSignal,
): Promise<void> {
  const { approvals } = run.services;
  const { id } = event.request;
  let decision: ApprovalDecision;
  try {
    decision = await answer(event, signal);
  } catch (error) {
    decision = { approved: false, reason: `It could not be approved: ${messageOf(error)}` };
  }
  const receipt = await approvals.provide(id, decision);
  // A function would give the same answer again, so that a question left open would wait for nothing.
  if (!receipt.accepted) await approvals.provide(id, { approved: false, reason: receipt.reason });
}

function detailsOf({ tool, args }: ReadyCall, decision: PolicyDecision): { details?: readonly string[] } {
  let details: readonly string[] = [];
  try {
    details = tool.detailsOf?.(args) ?? [];
  } catch {
    // A courtesy, like the summary: the approval shows the parameters as well.
  }
  const all = [...details, ...(decision.details ?? [])];
  return all.length > 0 ? { details: all } : {};
}
