import type { Model } from "../../../model/catalogue.ts";
import type { JsonObject, JsonValue } from "../../../model/json.ts";
import type { AssistantMessage, Message } from "../../../model/message.ts";
import type { ModelRequest } from "../../../model/model-request.ts";
import type { WireRequest } from "../wire-format.ts";
import { wordsOf } from "../words-of.ts";

export function encode(request: ModelRequest, model: Model | undefined): WireRequest {
  const options: JsonObject = {
    // Left out, Ollama takes 4,096 tokens and silently drops the beginning: the system prompt and the tools.
    ...(model?.contextWindow && { num_ctx: model.contextWindow }),
    ...(request.maxOutputTokens && { num_predict: request.maxOutputTokens }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.topP !== undefined && { top_p: request.topP }),
    ...(request.seed !== undefined && { seed: request.seed }),
    ...(request.stop?.length && { stop: request.stop }),
  };
  const think = encodeThink(request, model);
  const withTools = request.tools?.length && request.toolChoice !== "none";
  return {
    path: "/api/chat",
    body: {
      model: request.model,
      messages: [
        ...(request.system ? [{ role: "system", content: request.system }] : []),
        ...request.messages.map(encodeMessage),
      ],
      stream: true,
      ...(withTools && {
        tools: request.tools.map((tool) => ({
          type: "function",
          function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
        })),
      }),
      ...(think !== undefined && { think }),
      options,
    },
  };
}

/** Most models take yes or no; gpt-oss takes a word. Asking one that cannot think is an error. */
function encodeThink(request: ModelRequest, model: Model | undefined): JsonValue | undefined {
  const level = request.thinking;
  if (level === undefined || model?.thinking === false) return undefined;
  if (!request.model.startsWith("gpt-oss")) return level !== "off";
  if (level === "off" || level === "minimal") return "low";
  return level === "max" ? "high" : level;
}

function encodeMessage(message: Message): JsonObject {
  if (message.role === "assistant") return encodeAssistant(message);
  const content = wordsOf(message.content);
  const images = message.content.flatMap((part) => (part.type === "image" ? [part.data] : []));
  return {
    role: message.role,
    content: message.role === "tool" && content === "" && images.length === 0 ? "(no output)" : content,
    ...(images.length > 0 && { images }),
    ...(message.role === "tool" && { tool_name: message.toolName }),
  };
}

function encodeAssistant(message: AssistantMessage): JsonObject {
  // Its own thinking has no signature: what has one is another provider's.
  const join = (type: "text" | "thinking") =>
    message.content
      .map((part) => (part.type === type && !(type === "thinking" && part.signature) ? part.text : ""))
      .join("");
  const thinking = join("thinking");
  const calls = message.content.flatMap((part) =>
    part.type === "tool_call" ? [{ function: { name: part.call.name, arguments: part.call.arguments } }] : [],
  );
  return {
    role: "assistant",
    content: join("text"),
    ...(thinking && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
