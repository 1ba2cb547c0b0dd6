import type { JsonObject } from "../model/json.ts";
import type { CallPermission } from "./agent-event.ts";
import type { ReadyCall } from "./prepare-calls.ts";
import type { ToolCallRequest } from "./tool-call-lifecycle.ts";

/** May run, with these arguments. */
export type ApprovedCall = ReadyCall & {
  readonly permission: CallPermission;
  readonly modifiedParameters?: JsonObject;
};

/** Must not run; the model reads why. */
export type RefusedCall = {
  readonly request: ToolCallRequest;
  readonly tool: undefined;
  readonly status: "validation_failed" | "denied";
  readonly text: string;
  readonly permission?: CallPermission;
};

export type JudgedCall = ApprovedCall | RefusedCall;

/** Denied by a rule, a person or the lack of one. */
export function deniedCall(
  { request }: ReadyCall,
  permission: CallPermission,
): RefusedCall & { readonly permission: CallPermission } {
  const advice = "Do not try to get around this: find another way, or tell the user what you need.";
  const text = `Not run: the call was denied. ${permission.reason} ${advice}`;
  return { request, tool: undefined, status: "denied", text, permission };
}
