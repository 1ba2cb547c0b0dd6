import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import type { JsonObject } from "../../model/json.ts";
import { ModelError } from "../../model/model-error.ts";
import type { ModelEvent, StopReason } from "../../model/model-event.ts";
import type { StreamModel } from "../../model/stream-model.ts";
import type { Usage } from "../../model/usage.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { longestMessage, providerError } from "../http/provider-error.ts";
import { count, lookUp, object, optionalText, text } from "../http/read-json.ts";
import { redact } from "../http/redact.ts";
import { toolCall } from "../wire/tool-arguments.ts";
import { BlockSeals, eventOf, sealed } from "./block-seals.ts";
import { toPrompt } from "./prompt.ts";

/** The part of the AI SDK's `LanguageModel` that we use; its parts are read as loosely as anything from outside. */
export type LanguageModel = {
  readonly specificationVersion: string;
  readonly doStream: (
    options: LanguageModelV4CallOptions,
  ) => PromiseLike<{ readonly stream: ReadableStream<LanguageModelV4StreamPart> }>;
};

export function isLanguageModel(value: unknown): value is LanguageModel {
  return (
    typeof value === "object" && value !== null && "doStream" in value && typeof value.doStream === "function"
  );
}

const reasoningWords = {
  off: "none",
  minimal: "minimal",
  low: "low",
  medium: "medium",
  high: "high",
  max: "xhigh",
} as const;

/** The one adapter from the AI SDK's provider interface to our events. */
export function streamLanguageModel(
  model: LanguageModel,
  endpoint: Endpoint,
  packageName: string,
): StreamModel {
  const origin = `ai-sdk:${packageName}`;
  return async function* stream(request, signal) {
    const { tools, toolChoice, thinking } = request;
    // Leaving the loop, a stall and a cancel all end the request through this one signal.
    const ended = new AbortController();
    const abortSignal = AbortSignal.any([signal, ended.signal]);
    const options: LanguageModelV4CallOptions = {
      prompt: toPrompt(request, origin),
      abortSignal,
      ...(tools?.length && {
        tools: tools.map((tool) => ({
          type: "function" as const,
          name: tool.name,
          description: tool.description,
          inputSchema: { ...tool.inputSchema },
        })),
        toolChoice:
          typeof toolChoice === "object"
            ? { type: "tool" as const, toolName: toolChoice.name }
            : { type: toolChoice ?? "auto" },
      }),
      ...(thinking && { reasoning: reasoningWords[thinking] }),
      ...(request.maxOutputTokens && { maxOutputTokens: request.maxOutputTokens }),
      ...(request.temperature !== undefined && { temperature: request.temperature }),
      ...(request.topP !== undefined && { topP: request.topP }),
      ...(request.seed !== undefined && { seed: request.seed }),
      ...(request.stop && { stopSequences: [...request.stop] }),
    };
    let lost: Loss = "network";
    try {
      const answer = await watched(model.doStream(options), endpoint, lost);
      lost = "cut_off";
      yield* readParts(answer.stream, endpoint, origin);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw asModelError(error, endpoint, lost);
    } finally {
      ended.abort();
    }
  };
}

/** What a lost connection is: before the answer has begun, and after. */
type Loss = "network" | "cut_off";

async function* readParts(
  stream: ReadableStream<unknown>,
  endpoint: Endpoint,
  origin: string,
): AsyncIterable<ModelEvent> {
  const reader = stream.getReader();
  const started = new Set<string>();
  const seals = new BlockSeals(origin);
  let finished: ModelEvent | undefined;
  let metadata: { model?: string; responseId?: string } = {};
  for (;;) {
    const { done, value } = await watched(reader.read(), endpoint, "cut_off");
    if (done) break;
    const part = object(value);
    const id = text(part.id);
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        seals.add(part);
        break;
      case "text-delta":
      case "reasoning-delta":
        seals.add(part);
        if (part.delta !== "") yield { type: eventOf(part), text: text(part.delta) };
        break;
      case "text-end":
      case "reasoning-end": {
        const signature = seals.close(part);
        if (signature) yield { type: eventOf(part), text: "", signature };
        break;
      }
      case "tool-input-start":
        started.add(id);
        yield { type: "tool_call_started", callId: id, name: text(part.toolName) };
        break;
      case "tool-input-delta":
        yield { type: "tool_call_args_delta", callId: id, text: text(part.delta) };
        break;
      case "tool-call": {
        const callId = text(part.toolCallId);
        const name = text(part.toolName);
        const input = typeof part.input === "string" ? part.input : JSON.stringify(part.input ?? {});
        if (!started.has(callId)) yield { type: "tool_call_started", callId, name };
        yield {
          type: "tool_call_ready",
          call: toolCall(callId, name, input, sealed(part.providerMetadata, origin)),
        };
        break;
      }
      case "response-metadata": {
        const responseId = optionalText(part.id);
        const model = optionalText(part.modelId);
        metadata = { ...metadata, ...(responseId && { responseId }), ...(model && { model }) };
        break;
      }
      case "error":
        throw asModelError(part.error, endpoint, "cut_off");
      case "finish":
        finished = completion(part, metadata);
        break;
      default:
        if (!quiet.has(text(part.type))) yield { type: "trace", name: text(part.type) || "unknown" };
    }
  }
  if (!finished)
    throw new ModelError("cut_off", "The answer was cut off before its end.", {
      provider: endpoint.provider,
    });
  yield finished;
}

const quiet = new Set(["stream-start", "tool-input-end", "ping", "raw", "source"]);

const stopReasons: Readonly<Record<string, StopReason>> = {
  stop: "stop",
  length: "length",
  "content-filter": "refused",
  "tool-calls": "tool_calls",
};

/** Version 2 models give a word for the reason and flat counts; later ones give objects. */
function completion(part: JsonObject, metadata: object): ModelEvent | undefined {
  const reason = object(part.finishReason);
  const word = optionalText(part.finishReason) ?? text(reason.unified);
  const raw = optionalText(reason.raw);
  // How packages close a stream that ended without a word from the provider.
  if (word === "interrupted" || word === "error" || (word === "other" && !raw) || word === "unknown")
    return undefined;
  return {
    type: "response_completed",
    reason: lookUp(stopReasons, word) ?? "other",
    usage: readUsage(object(part.usage)),
    providerReason: raw ?? word,
    ...metadata,
  };
}

function readUsage(usage: JsonObject): Usage {
  const input = object(usage.inputTokens);
  const output = object(usage.outputTokens);
  const cacheReadTokens = count(input.cacheRead) || count(usage.cachedInputTokens);
  const cacheWriteTokens = count(input.cacheWrite);
  const total = count(input.total) || count(usage.inputTokens);
  return {
    inputTokens: count(input.noCache) || Math.max(0, total - cacheReadTokens - cacheWriteTokens),
    outputTokens: count(output.total) || count(usage.outputTokens),
    cacheReadTokens,
    cacheWriteTokens,
    reasoningTokens: count(output.reasoning) || count(usage.reasoningTokens),
  };
}

/** The SDK's `APICallError` and its kin are known by their fields: a foreign package has its own copy of the class. */
function asModelError(error: unknown, endpoint: Endpoint, loss: Loss): ModelError {
  if (error instanceof ModelError) return error;
  const { provider, secrets } = endpoint;
  if (!(error instanceof Error)) {
    return providerError(endpoint, { body: typeof error === "string" ? error : { ...object(error) } });
  }
  const fields: Record<string, unknown> = { ...error };
  if (typeof fields.statusCode === "number" && fields.statusCode >= 300) {
    const body = optionalText(fields.responseBody) ?? error.message;
    const headers = object(fields.responseHeaders);
    const retry = {
      "retry-after": optionalText(headers["retry-after"]),
      "retry-after-ms": optionalText(headers["retry-after-ms"]),
    };
    return providerError(endpoint, { status: fields.statusCode, headers: retry, body });
  }
  const code = optionalText(object(error.cause).code) ?? optionalText(fields.code);
  // A call that failed with HTTP 200 was lost while the package read the beginning of the answer; `fetch` gives its
  // TypeErrors a cause, a mistake in a package has none.
  const failedFetch = error.name === "TypeError" && error.cause !== undefined;
  const ended = /ended without a finish reason/i.test(error.message);
  const lost = code !== undefined || failedFetch || ended || "isRetryable" in fields;
  const kind = fields.statusCode === undefined ? loss : "cut_off";
  const message = redact(error.message, secrets).slice(0, longestMessage);
  return new ModelError(lost ? kind : "unknown", message, { provider, ...(code && { code }) });
}

/** A longer one would fire at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Waits for the next piece no longer than the idle time. */
async function watched<T>(next: PromiseLike<T>, endpoint: Endpoint, loss: Loss): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new ModelError(loss, "The answer stalled.", { provider: endpoint.provider })),
      Math.min(endpoint.idleTimeoutMs, longestTimerMs),
    );
  });
  try {
    return await Promise.race([next, stalled]);
  } finally {
    clearTimeout(timer);
  }
}
