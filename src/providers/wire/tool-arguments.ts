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

/** The text to send back for a call: what the model wrote, also where that was not JSON. */
export function argumentsText(call: ToolCall): string {
  return call.malformedArguments ?? JSON.stringify(call.arguments);
}
