import type { Signature, ToolCall } from "../../model/message.ts";
import { parseObject } from "../http/read-json.ts";

/** A whole call from the text of its arguments. For a tool without parameters models write nothing at all, or `null`. */
export function toolCall(id: string, name: string, argumentsText: string, signature?: Signature): ToolCall {
  const args = /^\s*(null\s*)?$/.test(argumentsText) ? {} : parseObject(argumentsText);
  return {
    id,
    name,
    arguments: args ?? {},
    ...(args === undefined && { malformedArguments: argumentsText }),
    ...(signature && { signature }),
  };
}

/**
 * The text to send back for a call: always JSON. vLLM and llama-server parse the calls of the past again, and would
 * refuse the conversation for good if one of them were not; what was wrong with it stands in its result.
 */
export function argumentsText(call: ToolCall): string {
  return JSON.stringify(call.arguments);
}
