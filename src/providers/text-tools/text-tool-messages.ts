import type {
  AssistantMessage,
  Message,
  TextPart,
  ToolResultMessage,
  UserMessage,
} from "../../model/message.ts";
import { textOf } from "../../model/message.ts";

/**
 * A conversation with tools, for a model that knows only text: calls are written the way the prompt asks for them,
 * and results come as the user's words, those of one turn together.
 */
export function asTextMessages(messages: readonly Message[]): readonly Message[] {
  const written: Message[] = [];
  let results: UserMessage["content"][number][] = [];
  const flush = () => {
    if (results.length > 0) written.push({ role: "user", content: results });
    results = [];
  };
  for (const message of messages) {
    if (message.role === "tool") {
      results.push(...resultParts(message));
      continue;
    }
    // Servers refuse two messages of the user in a row, so that what he adds stands below the results.
    if (message.role === "user" && results.length > 0) {
      results.push(...message.content);
      continue;
    }
    flush();
    written.push(message.role === "assistant" ? assistantText(message) : message);
  }
  flush();
  return written;
}

/** Most formats leave what was no call in the text; where it is not there, it is written as the model wrote it. */
function assistantText(message: AssistantMessage): AssistantMessage {
  const said = textOf(message);
  const written = message.content.map((part) => {
    if (part.type === "text") return part.text;
    if (part.type === "thinking") return "";
    const { name, arguments: parameters, malformedArguments } = part.call;
    if (malformedArguments !== undefined) return said.includes(malformedArguments) ? "" : malformedArguments;
    return `\n\`\`\`tool_call\n${JSON.stringify({ tool: name, parameters })}\n\`\`\`\n`;
  });
  const content: TextPart[] = [{ type: "text", text: written.join("").trim() || "(no words)" }];
  return { role: "assistant", content };
}

function resultParts({ toolName, content, isError }: ToolResultMessage): UserMessage["content"] {
  const outcome = isError ? "failed" : "gave";
  return [{ type: "text", text: `The call of ${toolName} ${outcome}:` }, ...content];
}
