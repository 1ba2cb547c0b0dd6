import type { JsonValue } from "./json.ts";
import type { Signature, ToolCall } from "./message.ts";
import type { Usage } from "./usage.ts";

/**
 * `tool_calls`: the model waits for results. `length`: cut by the output limit. `refused`: the provider ended the
 * answer on safety grounds. `paused`: the provider wants the same conversation sent again to go on.
 */
export type StopReason = "stop" | "tool_calls" | "length" | "refused" | "paused" | "other";

export type ModelEvent =
  /** A `signature` ends the block: what follows belongs to a new one. */
  | { readonly type: "text_delta"; readonly text: string; readonly signature?: Signature }
  | { readonly type: "thinking_delta"; readonly text: string; readonly signature?: Signature }
  | { readonly type: "tool_call_started"; readonly callId: string; readonly name: string }
  | { readonly type: "tool_call_args_delta"; readonly callId: string; readonly text: string }
  /** Only when the arguments are whole: a call cut by the output limit is started and never ready. */
  | { readonly type: "tool_call_ready"; readonly call: ToolCall }
  | {
      readonly type: "response_completed";
      readonly reason: StopReason;
      readonly usage: Usage;
      /** The provider's own word for `reason`. */
      readonly providerReason?: string;
      /** The model that answered, where the provider says so: it may be a dated or a routed one. */
      readonly model?: string;
      readonly responseId?: string;
    }
  /** Anything a provider sends that we do not know. Never fatal. */
  | { readonly type: "trace"; readonly name: string; readonly data?: JsonValue };
