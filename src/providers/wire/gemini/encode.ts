import type { Model } from "../../../model/catalogue.ts";
import { isJsonObject, type JsonObject } from "../../../model/json.ts";
import type { AssistantPart, ImagePart, Message, Signature, TextPart } from "../../../model/message.ts";
import type { ModelRequest, ToolChoice } from "../../../model/model-request.ts";
import { budgetFor, effortFor, levelWords } from "../thinking-effort.ts";
import type { WireRequest } from "../wire-format.ts";
import { wordsOf } from "../words-of.ts";

export const origin = "gemini";

export function encode(request: ModelRequest, model: Model | undefined): WireRequest {
  const thinkingConfig = encodeThinking(request, model);
  return {
    path: `/models/${encodeURIComponent(request.model)}:streamGenerateContent?alt=sse`,
    body: {
      ...(request.system && { systemInstruction: { parts: [{ text: request.system }] } }),
      contents: encodeMessages(request.messages, wantsSignatures(request.model)),
      ...(request.tools?.length && {
        tools: [
          {
            functionDeclarations: request.tools.map((tool) => ({
              name: tool.name,
              description: tool.description,
              parametersJsonSchema: tool.inputSchema,
            })),
          },
        ],
        toolConfig: { functionCallingConfig: encodeToolChoice(request.toolChoice ?? "auto") },
      }),
      generationConfig: {
        ...(request.maxOutputTokens && { maxOutputTokens: request.maxOutputTokens }),
        ...(request.temperature !== undefined && { temperature: request.temperature }),
        ...(request.topP !== undefined && { topP: request.topP }),
        ...(request.seed !== undefined && { seed: request.seed }),
        ...(request.stop?.length && { stopSequences: request.stop }),
        ...(thinkingConfig && { thinkingConfig }),
      },
    },
  };
}

function encodeToolChoice(choice: ToolChoice): JsonObject {
  if (typeof choice !== "string") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: { auto: "AUTO", none: "NONE", required: "ANY" }[choice] };
}

function encodeThinking(request: ModelRequest, model: Model | undefined): JsonObject | undefined {
  const level = request.thinking;
  const support = model?.thinking;
  if (support === false || level === undefined) return undefined;
  if (support && "budget" in support) {
    const budget = level === "off" && support.canDisable ? 0 : budgetFor(level, support.budget);
    return { thinkingBudget: budget, includeThoughts: budget > 0 };
  }
  const effort = effortFor(level, levelWords(support, knownLevels));
  return { includeThoughts: true, ...(effort && { thinkingLevel: effort }) };
}

const knownLevels = { low: "low", high: "high" } as const;

/** Results stand together in one turn, as the calls did. */
function encodeMessages(messages: readonly Message[], signed: boolean): JsonObject[] {
  const turns: { role: string; parts: JsonObject[]; fromTools: boolean }[] = [];
  // A result goes back under the id the provider gave the call, and without one where it gave none.
  const providerIds = new Map<string, string>();
  for (const message of messages) {
    const role = message.role === "assistant" ? "model" : "user";
    const fromTools = message.role === "tool";
    const content = encodeContent(message, providerIds);
    const parts = signed && message.role === "assistant" ? withSignature(content) : content;
    if (parts.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role && last.fromTools === fromTools) last.parts.push(...parts);
    else turns.push({ role, parts, fromTools });
  }
  return turns.map(({ role, parts }) => ({ role, parts }));
}

/** From Gemini 3 on: "Function call is missing a thought_signature in functionCall parts." */
function wantsSignatures(model: string): boolean {
  return /^gemini-([3-9]|\d\d)/.test(model);
}

/** Another model's calls have no signature, and Google has a word that lets the first of a turn do without. */
function withSignature(parts: readonly JsonObject[]): JsonObject[] {
  const first = parts.findIndex((part) => "functionCall" in part);
  const isSigned = parts.some((part) => "functionCall" in part && "thoughtSignature" in part);
  return parts.map((part, at) =>
    at === first && !isSigned ? { ...part, thoughtSignature: "skip_thought_signature_validator" } : part,
  );
}

function encodeContent(message: Message, providerIds: Map<string, string>): JsonObject[] {
  if (message.role === "user") return message.content.map(encodePart);
  if (message.role === "assistant") return message.content.flatMap((part) => encodeOwn(part, providerIds));
  const words = wordsOf(message.content);
  const id = providerIds.get(message.callId);
  return [
    {
      functionResponse: {
        name: message.toolName,
        ...(id && { id }),
        response: message.isError ? { error: words } : { output: words },
      },
    },
    ...message.content.filter((part) => part.type === "image").map(encodePart),
  ];
}

function encodePart(part: TextPart | ImagePart): JsonObject {
  return part.type === "text"
    ? { text: part.text }
    : { inlineData: { mimeType: part.mediaType, data: part.data } };
}

function encodeOwn(part: AssistantPart, providerIds: Map<string, string>): JsonObject[] {
  switch (part.type) {
    case "text": {
      const sealed = thoughtSignature(part.signature);
      return part.text === "" && !("thoughtSignature" in sealed) ? [] : [{ text: part.text, ...sealed }];
    }
    case "thinking": {
      const sealed = thoughtSignature(part.signature);
      return "thoughtSignature" in sealed ? [{ text: part.text, thought: true, ...sealed }] : [];
    }
    case "tool_call": {
      const { id, name, arguments: args, signature } = part.call;
      const given = ownValue(signature)?.id;
      if (typeof given === "string") providerIds.set(id, given);
      return [
        {
          functionCall: { name, args, ...(typeof given === "string" && { id: given }) },
          ...thoughtSignature(signature),
        },
      ];
    }
  }
}

function ownValue(signature: Signature | undefined): JsonObject | undefined {
  return signature?.origin === origin && isJsonObject(signature.value) ? signature.value : undefined;
}

function thoughtSignature(signature: Signature | undefined): JsonObject {
  const value = ownValue(signature)?.thoughtSignature;
  return typeof value === "string" ? { thoughtSignature: value } : {};
}
