import type { Model } from "../../../model/catalogue.ts";
import type { JsonObject } from "../../../model/json.ts";
import type { AssistantMessage, ImagePart, Message, TextPart } from "../../../model/message.ts";
import type { ModelRequest, ToolChoice } from "../../../model/model-request.ts";
import type { WireRequest } from "../wire-format.ts";
import { anthropicThinking } from "./thinking.ts";

export const origin = "anthropic-messages";

const ephemeral: JsonObject = { type: "ephemeral" };
const defaultMaxTokens = 32_000;

export function encode(request: ModelRequest, model: Model | undefined): WireRequest {
  const limit = model?.maxOutputTokens ?? defaultMaxTokens;
  const maxTokens = Math.min(request.maxOutputTokens ?? defaultMaxTokens, limit);
  const thinking = anthropicThinking(request.thinking, model, maxTokens);
  const thinks = thinking.thinking !== undefined && thinking.thinking.type !== "disabled";
  const samples = !thinks && !(model?.thinking && "adaptive" in model.thinking);
  const system = request.system
    ? [{ type: "text", text: request.system, cache_control: ephemeral }]
    : undefined;
  return {
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01", ...thinking.headers },
    body: {
      model: request.model,
      max_tokens: thinking.maxTokens,
      stream: true,
      ...(system && { system }),
      messages: encodeMessages(request.messages),
      ...(request.tools?.length && {
        tools: encodeTools(request, system === undefined),
        tool_choice: encodeToolChoice(request.toolChoice ?? "auto", thinks),
      }),
      ...(thinking.thinking && { thinking: thinking.thinking }),
      ...(thinking.effort && { output_config: { effort: thinking.effort } }),
      // "temperature may only be set to 1 when thinking is enabled"; newer models take no sampling settings at all.
      ...(samples && request.temperature !== undefined && { temperature: request.temperature }),
      ...(samples && request.topP !== undefined && { top_p: request.topP }),
      ...(request.stop?.length && { stop_sequences: request.stop }),
    },
  };
}

function encodeTools(request: ModelRequest, cacheHere: boolean): JsonObject[] {
  const tools = request.tools ?? [];
  return tools.map((tool, index) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.inputSchema,
    ...(cacheHere && index === tools.length - 1 && { cache_control: ephemeral }),
  }));
}

function encodeToolChoice(choice: ToolChoice, thinks: boolean): JsonObject {
  if (choice === "none") return { type: "none" };
  // A forced call and thinking exclude each other: "Thinking may not be enabled when tool_choice forces tool use".
  if (choice === "auto" || thinks) return { type: "auto" };
  return choice === "required" ? { type: "any" } : { type: "tool", name: choice.name };
}

type WireMessage = { role: "user" | "assistant"; content: JsonObject[] };

/** Results of one turn's calls must stand together in one user message, before anything the user adds. */
function encodeMessages(messages: readonly Message[]): JsonObject[] {
  const turns: WireMessage[] = [];
  for (const message of messages) {
    const role = message.role === "assistant" ? "assistant" : "user";
    const content = encodeContent(message);
    if (content.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content });
  }
  return markCachePoints(turns);
}

/**
 * The conversation up to here is read from the cache in the next turn. Two points, because a turn with many tool
 * results can leave more blocks behind than the provider looks back for the newest one.
 */
function markCachePoints(turns: readonly WireMessage[]): JsonObject[] {
  const marked = new Set(turns.filter((turn) => turn.role === "user").slice(-2));
  return turns.map((turn) => ({
    role: turn.role,
    content: marked.has(turn)
      ? turn.content.map((block, index) =>
          index === turn.content.length - 1 ? { ...block, cache_control: ephemeral } : block,
        )
      : turn.content,
  }));
}

function encodeContent(message: Message): JsonObject[] {
  if (message.role === "assistant") return encodeAssistant(message);
  const content = message.content.flatMap(encodePart);
  if (message.role === "user") return content;
  return [
    {
      type: "tool_result",
      tool_use_id: safeId(message.callId),
      content: content.length > 0 ? content : [{ type: "text", text: "(no output)" }],
      ...(message.isError && { is_error: true }),
    },
  ];
}

function encodePart(part: TextPart | ImagePart): JsonObject[] {
  if (part.type === "text") return part.text.trim() === "" ? [] : [{ type: "text", text: part.text }];
  return [{ type: "image", source: { type: "base64", media_type: part.mediaType, data: part.data } }];
}

function encodeAssistant(message: AssistantMessage): JsonObject[] {
  return message.content.flatMap((part): JsonObject[] => {
    if (part.type === "text") return encodePart(part);
    if (part.type === "tool_call") {
      const { id, name, arguments: input } = part.call;
      return [{ type: "tool_use", id: safeId(id), name, input }];
    }
    // Thinking counts only with its signature; another provider's is of no use here.
    const sealed = part.signature?.origin === origin ? part.signature.value : undefined;
    if (typeof sealed === "string") return [{ type: "thinking", thinking: part.text, signature: sealed }];
    return sealed === undefined || sealed === null || typeof sealed !== "object" || !("data" in sealed)
      ? []
      : [{ type: "redacted_thinking", data: sealed.data }];
  });
}

/** Ids of other providers may hold what this one refuses: only letters, digits, `_` and `-`. */
function safeId(id: string): string {
  return id.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}
