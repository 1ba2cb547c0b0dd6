import { describe, expect, it } from "vitest";
import { testEndpoint as endpoint } from "../../../test/support/decode-all.ts";
import {
  anthropicFailure as anthropic,
  googleFailure as google,
  openaiFailure as openai,
  type SaidFailure,
} from "../../../test/support/provider-failures.ts";
import { ModelError, type ModelErrorKind } from "../../model/model-error.ts";
import { providerError } from "./provider-error.ts";

const wordings: Readonly<Partial<Record<ModelErrorKind, readonly SaidFailure[]>>> = {
  context_overflow: [
    [
      "Anthropic",
      400,
      anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    ],
    [
      "Anthropic",
      400,
      anthropic(
        "invalid_request_error",
        "input length and `max_tokens` exceed context limit: 190000 + 32000 > 200000",
      ),
    ],
    ["Anthropic", 413, anthropic("request_too_large", "Request exceeds the maximum size")],
    [
      "OpenAI",
      400,
      openai(
        "Your input exceeds the context window of this model.",
        "invalid_request_error",
        "context_length_exceeded",
      ),
    ],
    [
      "OpenAI",
      429,
      openai(
        "Request too large for gpt-5 in organization org-1 on tokens per min (TPM): Limit 30000, Requested 41000.",
        "tokens",
        "rate_limit_exceeded",
      ),
    ],
    [
      "OpenAI, in a stream",
      undefined,
      { error: { code: "context_length_exceeded", message: "Your input exceeds the context window." } },
    ],
    [
      "Gemini",
      400,
      google(
        400,
        "INVALID_ARGUMENT",
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
      ),
    ],
    [
      "xAI",
      400,
      {
        code: "Client specified an invalid argument",
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    ],
    [
      "Groq",
      400,
      openai(
        "Please reduce the length of the messages or completion.",
        "invalid_request_error",
        "context_length_exceeded",
      ),
    ],
    [
      "Groq",
      413,
      openai(
        "Request too large for model `openai/gpt-oss-20b` on tokens per minute (TPM): Limit 8000, Requested 9000",
        "tokens",
        "rate_limit_exceeded",
      ),
    ],
    [
      "Mistral",
      400,
      {
        object: "error",
        message: "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
        type: "invalid_request_prompt",
        code: "3051",
      },
    ],
    [
      "DeepSeek",
      400,
      openai(
        "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens.",
        "invalid_request_error",
        "invalid_request_error",
      ),
    ],
    [
      "OpenRouter",
      400,
      {
        error: {
          message:
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 150000",
          code: 400,
        },
      },
    ],
    ["Ollama", 400, { error: "prompt too long; exceeded max context length by 1119 tokens" }],
    ["Ollama", 500, { error: "the input length exceeds the context length" }],
    [
      "llama-server",
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
          n_prompt_tokens: 5000,
          n_ctx: 4096,
        },
      },
    ],
    [
      "LM Studio",
      400,
      {
        error:
          "Trying to keep the first 9438 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
      },
    ],
    [
      "LM Studio",
      400,
      { error: "The number of tokens to keep from the initial prompt is greater than the context length." },
    ],
    [
      "vLLM",
      400,
      {
        object: "error",
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    ],
    [
      "vLLM",
      400,
      openai(
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "BadRequestError",
      ),
    ],
    ["vLLM", 400, openai("The engine prompt length 5000 exceeds the max_model_len 4096.", "BadRequestError")],
    ["a proxy", 413, "<html><body>413 Request Entity Too Large</body></html>"],
  ],
  refused: [
    [
      "OpenAI",
      400,
      openai("Invalid prompt: your prompt was flagged", "invalid_request_error", "invalid_prompt"),
    ],
    [
      "OpenAI",
      400,
      openai(
        "Your request was rejected as a result of our safety system.",
        "invalid_request_error",
        "content_policy_violation",
      ),
    ],
    ["Azure", 400, openai("The response was filtered", "invalid_request_error", "content_filter")],
    ["Anthropic", 400, anthropic("invalid_request_error", "Output blocked by content filtering policy")],
    [
      "OpenRouter",
      403,
      { error: { message: 'a/b requires moderation. Your input was flagged for "violence".', code: 403 } },
    ],
    [
      "xAI",
      403,
      {
        code: "The caller does not have permission",
        error: "Content violates usage guidelines. Failed check: SAFETY",
      },
    ],
    ["DeepSeek", 400, openai("Content Exists Risk", "invalid_request_error")],
  ],
  bad_request: [
    [
      "Anthropic",
      400,
      anthropic(
        "invalid_request_error",
        "messages.1: `tool_use` ids were found without `tool_result` blocks",
      ),
    ],
    [
      "OpenAI",
      400,
      openai("Unsupported parameter: 'temperature'", "invalid_request_error", "unsupported_parameter"),
    ],
    ["Gemini", 400, google(400, "INVALID_ARGUMENT", "Function call is missing a thought_signature")],
    ["Groq", 400, openai("Failed to call a function.", "invalid_request_error", "tool_use_failed")],
    [
      "Mistral",
      422,
      {
        object: "error",
        message: { detail: [{ type: "missing", msg: "Field required", loc: ["body", "model"] }] },
        type: "invalid_request_error",
      },
    ],
    ["Ollama", 400, { error: "registry.ollama.ai/library/gemma:2b does not support tools" }],
    [
      "llama-server",
      500,
      { error: { code: 500, message: "tools param requires --jinja flag", type: "server_error" } },
    ],
    [
      "vLLM",
      400,
      {
        object: "error",
        message: '"auto" tool choice requires --enable-auto-tool-choice',
        type: "BadRequestError",
        code: 400,
      },
    ],
    ["FastAPI", 422, { detail: [{ msg: "field required" }, { msg: "value is not a valid list" }] }],
  ],
};

describe("what a provider says of a request it does not take", () => {
  const cases = Object.entries(wordings).flatMap(([kind, all]) => all.map((one) => [kind, ...one] as const));

  it.each(cases)("is %s for %s (HTTP %s): %j", (kind, _, status, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const error = providerError(endpoint, { ...(status && { status }), body: text });
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind, provider: "test", status });
    expect(error.message).not.toBe("");
  });
});
