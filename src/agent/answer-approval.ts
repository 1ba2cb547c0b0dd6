import type { JsonObject } from "../model/json.ts";
import type { ApprovalDecision, Remember } from "../policy/approval-decision.ts";
import type { ApprovalRequestEvent } from "./agent-event.ts";
import { type ApprovalReceipt, type Approvals, UnknownApproval } from "./approvals.ts";

/** Events are plain data; whom to answer is kept beside them, for as long as somebody holds the event. */
const askers = new WeakMap<ApprovalRequestEvent, Approvals>();

export function rememberAsker(event: ApprovalRequestEvent, approvals: Approvals): void {
  askers.set(event, approvals);
}

/** Lets the call run. Takes the very event that was received; for a copy there is `agent.provideApproval`. */
export function approve(
  event: ApprovalRequestEvent,
  options: { readonly remember?: Remember; readonly modifiedParameters?: JsonObject } = {},
): Promise<ApprovalReceipt> {
  return answer(event, { approved: true, ...options });
}

/** Refuses the call; the model reads the reason and goes on. */
export function deny(
  event: ApprovalRequestEvent,
  reason?: string,
  options: { readonly remember?: Remember } = {},
): Promise<ApprovalReceipt> {
  return answer(event, { approved: false, ...(reason === undefined ? {} : { reason }), ...options });
}

/** Ends the whole request. */
export function cancel(event: ApprovalRequestEvent): Promise<ApprovalReceipt> {
  return answer(event, { approved: false, cancelsRequest: true });
}

async function answer(event: ApprovalRequestEvent, decision: ApprovalDecision): Promise<ApprovalReceipt> {
  const approvals = askers.get(event);
  if (!approvals) throw new UnknownApproval(event.request.id);
  return approvals.provide(event.request.id, decision);
}
