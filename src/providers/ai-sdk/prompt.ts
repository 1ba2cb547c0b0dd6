import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { AssistantMessage, ImagePart, Message, Signature, TextPart } from "../../model/message.ts";
import type { ModelRequest } from "../../model/model-request.ts";

/** Our messages as the AI SDK's prompt. */
export function toPrompt(request: ModelRequest, origin: string): LanguageModelV4Prompt {
  const system: LanguageModelV4Message[] = request.system
    ? [{ role: "system", content: request.system }]
    : [];
  return [...system, ...request.messages.map((message) => toMessage(message, origin))];
}

function toMessage(message: Message, origin: string): LanguageModelV4Message {
  switch (message.role) {
    case "user":
      return { role: "user", content: message.content.map(toPart) };
    case "assistant":
      return { role: "assistant", content: toAssistant(message, origin) };
    case "tool":
      return {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: message.callId,
            toolName: message.toolName,
            output: toOutput(message.content, message.isError),
          },
        ],
      };
  }
}

function toPart(part: TextPart | ImagePart): LanguageModelV4TextPart | LanguageModelV4FilePart {
  return part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "file", mediaType: part.mediaType, data: { type: "data", data: part.data } };
}

function toOutput(
  content: readonly (TextPart | ImagePart)[],
  isError: boolean,
): LanguageModelV4ToolResultOutput {
  const value = content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  if (isError) return { type: "error-text", value };
  if (content.every((part) => part.type === "text")) return { type: "text", value };
  return { type: "content", value: content.map(toPart) };
}

type AssistantContent = Extract<LanguageModelV4Message, { role: "assistant" }>["content"];

function toAssistant(message: AssistantMessage, origin: string): AssistantContent {
  return message.content.flatMap((part): AssistantContent => {
    if (part.type === "tool_call") {
      const { id, name, arguments: input, signature } = part.call;
      return [{ type: "tool-call", toolCallId: id, toolName: name, input, ...optionsOf(signature, origin) }];
    }
    const sealed = optionsOf(part.signature, origin);
    if (part.type === "text") return part.text === "" ? [] : [{ type: "text", text: part.text, ...sealed }];
    return "providerOptions" in sealed ? [{ type: "reasoning", text: part.text, ...sealed }] : [];
  });
}

/** What a package put into `providerMetadata` goes back to it as `providerOptions`. */
function optionsOf(
  signature: Signature | undefined,
  origin: string,
): { providerOptions?: SharedV4ProviderOptions } {
  if (signature?.origin !== origin) return {};
  const value: unknown = structuredClone(signature.value);
  return isProviderOptions(value) ? { providerOptions: value } : {};
}

function isProviderOptions(value: unknown): value is SharedV4ProviderOptions {
  return (
    typeof value === "object" &&
    value !== null &&
    Object.values(value).every((options) => typeof options === "object" && options !== null)
  );
}
