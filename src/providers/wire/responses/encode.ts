import type { Model } from "../../../model/catalogue.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ToolResultMessage,
} from "../../../model/message.ts";
import type { ModelRequest, ToolChoice } from "../../../model/model-request.ts";
import { effortFor, levelWords } from "../thinking-effort.ts";
import { argumentsText } from "../tool-arguments.ts";
import type { WireRequest } from "../wire-format.ts";
import { wordsOf } from "../words-of.ts";

export const origin = "openai-responses";

export function encode(request: ModelRequest, model: Model | undefined): WireRequest {
  const thinks = canThink(request.model, model);
  return {
    path: "/responses",
    body: {
      model: request.model,
      ...(request.system && { instructions: request.system }),
      input: request.messages.flatMap(encodeMessage),
      stream: true,
      // Nothing stays at the provider: what it needs of its own thinking travels with us, encrypted.
      store: false,
      ...(thinks && { include: ["reasoning.encrypted_content"], reasoning: encodeReasoning(request, model) }),
      ...(request.tools?.length && {
        tools: request.tools.map((tool) => ({
          type: "function",
          name: tool.name,
          description: tool.description,
          parameters: tool.inputSchema,
          strict: false,
        })),
        tool_choice: encodeToolChoice(request.toolChoice ?? "auto"),
        parallel_tool_calls: true,
      }),
      ...(request.maxOutputTokens && { max_output_tokens: request.maxOutputTokens }),
      // Reasoning models refuse them: "Unsupported parameter: 'temperature' is not supported with this model."
      ...(!thinks && request.temperature !== undefined && { temperature: request.temperature }),
      ...(!thinks && request.topP !== undefined && { top_p: request.topP }),
      ...(request.cacheKey && { prompt_cache_key: request.cacheKey }),
    },
  };
}

function canThink(id: string, model: Model | undefined): boolean {
  if (model?.thinking !== undefined) return model.thinking !== false;
  return /^(o\d|gpt-[5-9]|codex|grok)/.test(id) && !id.includes("chat");
}

function encodeReasoning(request: ModelRequest, model: Model | undefined): JsonObject {
  const support = model?.thinking || undefined;
  const level = request.thinking;
  if (level === "off" && support?.canDisable) return { effort: "none" };
  const effort = level && effortFor(level, levelWords(support, knownEfforts));
  return { summary: "auto", ...(effort && { effort }) };
}

const knownEfforts = { minimal: "minimal", low: "low", medium: "medium", high: "high" } as const;

function encodeToolChoice(choice: ToolChoice): JsonValue {
  return typeof choice === "string" ? choice : { type: "function", name: choice.name };
}

function encodeMessage(message: Message): JsonObject[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: message.content.map(encodePart) }];
    case "assistant":
      return encodeAssistant(message);
    case "tool":
      return [{ type: "function_call_output", call_id: message.callId, output: encodeOutput(message) }];
  }
}

function encodePart(part: TextPart | ImagePart): JsonObject {
  return part.type === "text"
    ? { type: "input_text", text: part.text }
    : { type: "input_image", image_url: `data:${part.mediaType};base64,${part.data}` };
}

function encodeOutput(message: ToolResultMessage): JsonValue {
  const plain = message.content.every((part) => part.type === "text");
  if (!plain) return message.content.map(encodePart);
  return wordsOf(message.content) || "(no output)";
}

/** One item a block, in the order in which they came: a reasoning item must stand before what it led to. */
function encodeAssistant(message: AssistantMessage): JsonObject[] {
  return message.content.flatMap((part): JsonObject[] => {
    if (part.type === "text") {
      return part.text === ""
        ? []
        : [{ role: "assistant", content: [{ type: "output_text", text: part.text }] }];
    }
    if (part.type === "tool_call") {
      const { id, name } = part.call;
      return [{ type: "function_call", call_id: id, name, arguments: argumentsText(part.call) }];
    }
    const item = part.signature?.origin === origin ? part.signature.value : undefined;
    return isJsonObject(item) ? [item] : [];
  });
}
