import type { Model } from "../../../model/catalogue.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../model/json.ts";
import type {
  AssistantMessage,
  ImagePart,
  Message,
  TextPart,
  ThinkingPart,
  ToolResultMessage,
} from "../../../model/message.ts";
import type { ModelRequest, ToolChoice } from "../../../model/model-request.ts";
import { budgetFor, effortFor, levelWords } from "../thinking-effort.ts";
import { argumentsText } from "../tool-arguments.ts";
import type { WireRequest } from "../wire-format.ts";
import { wordsOf } from "../words-of.ts";
import type { ChatDialect } from "./dialect.ts";

/** Thinking is replayed only to the provider that wrote it. */
export const originOf = (provider: string) => `chat-completions:${provider}`;

export function encode(
  request: ModelRequest,
  model: Model | undefined,
  dialect: ChatDialect,
  provider: string,
): WireRequest {
  return {
    path: "/chat/completions",
    body: {
      model: request.model,
      messages: encodeMessages(request, dialect, originOf(provider)),
      stream: true,
      ...(dialect.asksForUsage && { stream_options: { include_usage: true } }),
      ...(request.tools?.length && {
        tools: request.tools.map((tool) => ({
          type: "function",
          function: { name: tool.name, description: tool.description, parameters: tool.inputSchema },
        })),
        tool_choice: encodeToolChoice(request.toolChoice ?? "auto", dialect),
      }),
      ...encodeThinking(request, model, dialect),
      ...(request.maxOutputTokens && { [dialect.maxTokensField]: request.maxOutputTokens }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.topP !== undefined && { top_p: request.topP }),
      ...(request.seed !== undefined && { [dialect.seedField]: request.seed }),
      ...(request.stop?.length && { stop: request.stop }),
    },
  };
}

function encodeToolChoice(choice: ToolChoice, dialect: ChatDialect): JsonValue {
  if (choice === "required") return dialect.requiredChoice;
  return typeof choice === "string" ? choice : { type: "function", function: { name: choice.name } };
}

function encodeThinking(request: ModelRequest, model: Model | undefined, dialect: ChatDialect): JsonObject {
  const level = request.thinking;
  const support = model?.thinking;
  if (level === undefined || support === false) return {};
  const effort = effortFor(level, levelWords(support, knownEfforts));
  const off = level === "off" && support?.canDisable !== false;
  switch (dialect.thinking) {
    case "reasoning_object":
      if (off) return { reasoning: { enabled: false } };
      return support && "budget" in support
        ? { reasoning: { max_tokens: budgetFor(level, support.budget) } }
        : { reasoning: effort ? { effort } : { enabled: true } };
    case "thinking_type":
      if (off) return { thinking: { type: "disabled" } };
      return { thinking: { type: "enabled" }, ...(effort && { reasoning_effort: effort }) };
    case "reasoning_effort":
      if (off) return support ? { reasoning_effort: "none" } : {};
      return effort ? { reasoning_effort: effort } : {};
  }
}

const knownEfforts = { low: "low", medium: "medium", high: "high" } as const;

function encodeMessages(request: ModelRequest, dialect: ChatDialect, origin: string): JsonObject[] {
  const encoded: JsonObject[] = request.system ? [{ role: "system", content: request.system }] : [];
  const lastUser = request.messages.findLastIndex((message) => message.role === "user");
  let images: JsonObject[] = [];
  const add = (message: JsonObject) => {
    const afterResults = encoded.at(-1)?.role === "tool" && message.role === "user";
    if (afterResults && dialect.speaksAfterResults) encoded.push({ role: "assistant", content: "I see." });
    encoded.push(message);
  };
  const addImages = () => {
    if (images.length > 0) add({ role: "user", content: images });
    images = [];
  };
  request.messages.forEach((message, index) => {
    if (message.role !== "tool") addImages();
    encodeMessage(message, dialect, index > lastUser ? origin : undefined).forEach(add);
    if (message.role === "tool") images.push(...resultImages(message));
  });
  addImages();
  return encoded;
}

/** `origin` is absent before the last user message: thinking of finished turns is of no more use. */
function encodeMessage(message: Message, dialect: ChatDialect, origin: string | undefined): JsonObject[] {
  switch (message.role) {
    case "user":
      return [{ role: "user", content: encodeContent(message.content) }];
    case "assistant":
      return encodeAssistant(message, dialect, origin);
    case "tool": {
      const words = wordsOf(message.content);
      const nothing = message.content.some((part) => part.type === "image") ? "(an image)" : "(no output)";
      return [{ role: "tool", tool_call_id: callId(message.callId, dialect), content: words || nothing }];
    }
  }
}

/** A plain string where it will do: not every server takes a list of parts. */
function encodeContent(content: readonly (TextPart | ImagePart)[]): JsonValue {
  if (content.every((part) => part.type === "text")) return content.map((part) => part.text).join("\n");
  return content.map(encodePart);
}

function encodePart(part: TextPart | ImagePart): JsonObject {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:${part.mediaType};base64,${part.data}` } };
}

/** Results can only be text here, so pictures follow in a message of their own. */
function resultImages(message: ToolResultMessage): JsonObject[] {
  const images = message.content.filter((part) => part.type === "image");
  if (images.length === 0) return [];
  return [{ type: "text", text: `Image from ${message.toolName}:` }, ...images.map(encodePart)];
}

function encodeAssistant(
  message: AssistantMessage,
  dialect: ChatDialect,
  origin: string | undefined,
): JsonObject[] {
  const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = message.content.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));
  // An answer that was stopped while it thought: "Assistant message must have either content or tool_calls".
  if (text === "" && calls.length === 0) return [];
  const thinking = message.content.filter((part) => part.type === "thinking");
  return [
    {
      role: "assistant",
      content: text === "" ? null : text,
      ...(dialect.replaysThinking && replayedThinking(thinking, origin)),
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({
          id: callId(call.id, dialect),
          type: "function",
          function: { name: call.name, arguments: argumentsText(call) },
        })),
      }),
    },
  ];
}

/** Under the field in which the server sent it: `{"field":"reasoning_content"}` or `{"details":[…]}`. */
function replayedThinking(thinking: readonly ThinkingPart[], origin: string | undefined): JsonObject {
  const sealed = thinking.findLast((part) => part.signature && part.signature.origin === origin)?.signature
    ?.value;
  if (!isJsonObject(sealed)) return {};
  if (Array.isArray(sealed.details)) return { reasoning_details: sealed.details };
  const text = thinking.map((part) => part.text).join("");
  return typeof sealed.field === "string" ? { [sealed.field]: text } : {};
}

function callId(id: string, dialect: ChatDialect): string {
  if (!dialect.shortCallIds || /^[a-zA-Z0-9]{9}$/.test(id)) return id;
  // FNV-1a, so that a call and its result get the same id again.
  let hash = 0xcbf29ce484222325n;
  for (let at = 0; at < id.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(id.charCodeAt(at))) * 0x100000001b3n);
  }
  return hash.toString(36).padStart(9, "0").slice(-9);
}
