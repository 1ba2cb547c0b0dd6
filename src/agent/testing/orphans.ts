import type { Message } from "../../model/message.ts";

/** Every call answered once, right behind its message, in order; no result without a call. */
export function orphansIn(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  let open: string[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (open.shift() !== message.callId) problems.push(`result ${message.callId}`);
      continue;
    }
    problems.push(...open.map((id) => `call ${id}`));
    open =
      message.role === "assistant"
        ? message.content.flatMap((part) => (part.type === "tool_call" ? [part.call.id] : []))
        : [];
  }
  return [...problems, ...open.map((id) => `call ${id}`)];
}
