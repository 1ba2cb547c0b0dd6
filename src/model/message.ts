import type { JsonObject, JsonValue } from "./json.ts";

/**
 * What a provider sealed into a block and wants back unchanged: Anthropic's thinking signature, OpenAI's encrypted
 * reasoning item, Gemini's thought signature. Only the wire format named by `origin` may send it again.
 */
export type Signature = { readonly origin: string; readonly value: JsonValue };

export type TextPart = { readonly type: "text"; readonly text: string; readonly signature?: Signature };

/** `data` is base64. */
export type ImagePart = { readonly type: "image"; readonly mediaType: string; readonly data: string };

/** `text` may be empty: redacted and encrypted thinking has only its signature. */
export type ThinkingPart = {
  readonly type: "thinking";
  readonly text: string;
  readonly signature?: Signature;
};

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: JsonObject;
  /** The text the model wrote, present only when it is not a JSON object; `arguments` is then empty. */
  readonly malformedArguments?: string;
  readonly signature?: Signature;
};

export type ToolCallPart = { readonly type: "tool_call"; readonly call: ToolCall };

export type UserMessage = { readonly role: "user"; readonly content: readonly (TextPart | ImagePart)[] };

export type AssistantPart = TextPart | ThinkingPart | ToolCallPart;

export type AssistantMessage = { readonly role: "assistant"; readonly content: readonly AssistantPart[] };

export type ToolResultMessage = {
  readonly role: "tool";
  readonly callId: string;
  readonly toolName: string;
  readonly content: readonly (TextPart | ImagePart)[];
  readonly isError: boolean;
};

export type Message = UserMessage | AssistantMessage | ToolResultMessage;

export function userMessage(text: string): UserMessage {
  return { role: "user", content: [{ type: "text", text }] };
}

/** The words of a message, without thinking, calls and images. */
export function textOf(message: Message): string {
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
