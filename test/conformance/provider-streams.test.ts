import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, test } from "vitest";
import { MessageAssembler } from "../../src/model/assemble-message.ts";
import { textOf, userMessage } from "../../src/model/message.ts";
import { ModelError, type ModelErrorKind } from "../../src/model/model-error.ts";
import { openModel } from "../../src/providers/open-model.ts";
import { ModelServer, type RawAnswer } from "../support/model-server.ts";
import { sharedFolder } from "../support/shared-fixtures.ts";
import {
  payloadsOf,
  type RecordedAnswer,
  type RecordedWire,
  readRecording,
  splitAnswers,
} from "./recorded-answer.ts";

const folder = sharedFolder("fixtures/provider-streams");

/** Recordings no provider of ours can meet, each with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  "gemini/vercel-stream-tool-call-arguments.chunks.jsonl":
    "streamed arguments (partialArgs) come only when streamFunctionCallArguments is set, which we never do",
  "gemini/vercel-stream-tool-call-array-arguments-missing-terminal-function-call.chunks.jsonl":
    "streamed arguments (partialArgs) come only when streamFunctionCallArguments is set, which we never do",
  "openai-responses/pydantic-background-resume.turn1.sse":
    "background mode: cut on purpose, to be resumed by its id; we never store answers at the provider",
  "openai-responses/pydantic-background-resume.turn2.sse":
    "background mode: the second half of an answer, without its beginning",
};

/** Recordings that end in an error, or before their end: what must be thrown. */
const failing: Readonly<Record<string, ModelErrorKind>> = {
  "anthropic/inline-overloaded-first-event.sse": "overloaded",
  "anthropic/inline-overloaded-mid-stream.sse": "overloaded",
  "gemini/sdk-failure-empty-content.sse": "cut_off",
  "groq/pydantic-tool-use-failed.turn1.sse": "bad_request",
  "openai-responses/inline-error-nested-then-failed.sse": "overloaded",
  "openai-responses/inline-error-top-level.sse": "rate_limit",
  "openai-responses/inline-failed-context-overflow.sse": "context_overflow",
  "openai-responses/inline-failed-quota.sse": "rate_limit",
  "openai-responses/inline-failed-rate-limit.sse": "rate_limit",
  "openai-responses/vercel-error.1.chunks.jsonl": "rate_limit",
};

const errorKinds: Readonly<Record<string, ModelErrorKind>> = {
  "anthropic/opencode-400-tool-order.error.json": "bad_request",
  "anthropic/rig-400-validation.error.json": "bad_request",
  "anthropic/rig-401.error.json": "auth",
  "anthropic/rig-404-model.error.json": "not_found",
  "anthropic/rubyllm-context-overflow.error.json": "context_overflow",
  "deepseek/rig-400-forced-tool-thinking.error.json": "bad_request",
  "deepseek/rig-400-model.error.json": "not_found",
  "gemini/rig-bad-key.error.json": "auth",
  "gemini/rubyllm-429-quota.error.json": "rate_limit",
  "gemini/vercel-429-retry-info.error.json": "rate_limit",
  "llamacpp/rig-401.error.json": "auth",
  "llamacpp/rig-context-overflow.error.json": "context_overflow",
  "llamacpp/rig-tools-without-jinja.error.json": "bad_request",
  "mistral/rig-error-stream.error.json": "not_found",
  "mistral/rubyllm-401.error.json": "auth",
  "ollama/rubyllm-compat-context-overflow.error.json": "context_overflow",
  "openai-chat/rig-400-validation.error.json": "bad_request",
  "openai-chat/rubyllm-401.error.json": "auth",
  "openai-chat/rubyllm-context-overflow.error.json": "context_overflow",
  "openai-responses/rig-401.error.json": "auth",
  "openai-responses/rig-prev-response-missing.error.json": "bad_request",
  "openai-responses/vercel-400-temperature.error.json": "bad_request",
  "openai-responses/vercel-429-quota.error.json": "rate_limit",
  "openrouter/rig-routed-failure.error.json": "not_found",
  "openrouter/rubyllm-context-overflow.error.json": "context_overflow",
  "xai/rig-400-bad-key.error.json": "auth",
};

const providerOfFolder: Readonly<Record<string, string>> = {
  anthropic: "anthropic",
  gemini: "google",
  ollama: "ollama",
  "openai-responses": "openai",
  deepseek: "deepseek",
  groq: "groq",
  mistral: "mistral",
  openrouter: "openrouter",
  xai: "xai",
  llamacpp: "llama-server",
  "openai-chat": "mine",
  "compatible-misc": "mine",
};

const wires: Readonly<Record<string, RecordedWire>> = {
  anthropic: "anthropic",
  google: "gemini",
  ollama: "ollama",
  openai: "responses",
};

/** Three folders of chat providers also hold answers in the Responses format. */
function providerOf(file: string): string {
  const name = providerOfFolder[file.slice(0, file.indexOf("/"))] ?? "mine";
  return /responses/.test(basename(file)) && name !== "openai" ? "openai" : name;
}

type Recording = { readonly body: string; readonly expected: () => RecordedAnswer };

/** `.chunks.jsonl` has lost its framing, and at times holds more than one answer. */
function recordingsIn(file: string): readonly Recording[] {
  const stored = readFileSync(join(folder ?? "", file), "utf8");
  const wire = wires[providerOf(file)] ?? "chat";
  const payloads = payloadsOf(file, stored);
  if (!file.endsWith(".chunks.jsonl"))
    return [{ body: stored, expected: () => readRecording(wire, payloads) }];
  return splitAnswers(payloads).map((answer) => ({
    body: answer.map((payload) => `data: ${JSON.stringify(payload)}\n\n`).join(""),
    expected: () => readRecording(wire, answer),
  }));
}

async function replay(provider: string, answer: RawAnswer) {
  await using own = await ModelServer.start();
  own.answer(answer);
  const { stream } = await openModel(`${provider}/recorded`, {
    providers: {
      mine: { type: "openai-compatible", baseURL: own.url },
      ...(provider !== "mine" && { [provider]: { baseURL: own.url, apiKey: "test-key-not-secret" } }),
    },
    env: {},
    configFolder: "/nonexistent",
  });
  const assembler = new MessageAssembler();
  const request = { model: "recorded", messages: [userMessage("Hello")] };
  for await (const event of stream(request, AbortSignal.timeout(60_000))) assembler.add(event);
  return assembler.snapshot();
}

function comparable(
  { message, calls, reason, usage }: Awaited<ReturnType<typeof replay>>,
  expected: RecordedAnswer,
) {
  return {
    text: textOf(message),
    thinking: message.content.map((part) => (part.type === "thinking" ? part.text : "")).join(""),
    // Where the recording has no ids, ours are made up.
    calls: calls.map(({ id, name, arguments: args }, at) => ({
      ...(expected.calls[at]?.id !== undefined && { id }),
      name,
      arguments: args,
    })),
    reason,
    usage: {
      input: usage.inputTokens,
      output: usage.outputTokens,
      cacheRead: usage.cacheReadTokens,
      cacheWrite: usage.cacheWriteTokens,
      reasoning: usage.reasoningTokens,
    },
  };
}

const files = folder
  ? readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => file.includes("/"))
      .sort()
  : [];
const streams = files.filter((file) => /\.(sse|chunks\.jsonl|ndjson)$/.test(file));
const played = streams.filter((file) => !leftOut[file]);

describe.skipIf(!folder)("recorded answers of real providers", () => {
  test("all of them are played or named as left out", () => {
    expect(streams.length).toBeGreaterThan(190);
    expect(Object.keys(leftOut).filter((file) => !streams.includes(file))).toEqual([]);
    expect(Object.keys(failing).filter((file) => !played.includes(file))).toEqual([]);
  });

  describe.each(played)("%s", (file) => {
    const provider = providerOf(file);
    test.each([1, 7, 4096])("cut into pieces of %i bytes", async (pieceSize) => {
      const kind = failing[file];
      for (const { body, expected } of recordingsIn(file)) {
        if (kind) {
          const error = await replay(provider, { body, pieceSize }).catch((thrown: unknown) => thrown);
          expect(error).toBeInstanceOf(ModelError);
          expect(error).toHaveProperty("kind", kind);
        } else {
          const answer = await replay(provider, { body, pieceSize });
          expect(comparable(answer, expected())).toEqual(expected());
        }
      }
    });
  });
});

describe.skipIf(!folder)("recorded error answers", () => {
  const manifest: readonly { file: string; status: number }[] = folder
    ? JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"))
    : [];
  const errors = files.filter((file) => file.endsWith(".error.json"));

  test("each has its kind written down", () => {
    expect(errors).toEqual(Object.keys(errorKinds).sort());
  });

  test.each(errors)("%s", async (file) => {
    const status = manifest.find((entry) => entry.file === file)?.status ?? 0;
    const body = readFileSync(join(folder ?? "", file), "utf8");
    const error = await replay(providerOf(file), { status, body }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind: errorKinds[file], status });
  });
});

test.skipIf(folder)("the recordings are not here, so they were not replayed", () => {});
