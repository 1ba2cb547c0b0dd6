import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../model/json.ts";
import { ModelError, type ModelErrorKind } from "../../model/model-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { type ProviderFailure, providerError } from "./provider-error.ts";

const endpoint: Endpoint = {
  provider: "test",
  baseURL: "http://127.0.0.1:1",
  headers: {},
  secrets: [],
  idleTimeoutMs: 1_000,
};

const read = (failure: ProviderFailure) => providerError(endpoint, failure);
const openai = (message: string, type: string, code: string | null = null) => ({
  error: { message, type, param: null, code },
});
const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } });
const google = (code: number, status: string, message: string, details: JsonObject[] = []) => ({
  error: { code, message, status, details },
});

type Case = readonly [who: string, status: number | undefined, body: object | string];

const wordings: Readonly<
  Record<Exclude<ModelErrorKind, "network" | "cut_off" | "unknown">, readonly Case[]>
> = {
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
  auth: [
    ["Anthropic", 401, anthropic("authentication_error", "invalid x-api-key")],
    [
      "Anthropic",
      403,
      anthropic("permission_error", "Your API key does not have permission to use this resource"),
    ],
    ["OpenAI", 401, openai("Incorrect API key provided: sk-no.", "invalid_request_error", "invalid_api_key")],
    [
      "Gemini",
      400,
      google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", [
        { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" },
      ]),
    ],
    [
      "Gemini",
      403,
      google(403, "PERMISSION_DENIED", "Your API key was reported as leaked. Please use another API key."),
    ],
    [
      "xAI",
      400,
      { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***Yz." },
    ],
    ["Groq", 401, openai("Invalid API Key", "invalid_request_error", "invalid_api_key")],
    ["Mistral", 401, { detail: "Unauthorized" }],
    [
      "DeepSeek",
      401,
      openai(
        "Authentication Fails, Your api key: ****1234 is invalid",
        "authentication_error",
        "invalid_request_error",
      ),
    ],
    ["OpenRouter", 401, { error: { message: "No auth credentials found", code: 401 } }],
    ["OpenRouter", 401, { error: { message: "User not found.", code: 401 } }],
    ["llama-server", 401, { error: { code: 401, message: "Invalid API Key", type: "authentication_error" } }],
    ["vLLM", 401, { error: "Unauthorized" }],
    [
      "OpenAI",
      401,
      openai(
        "You didn't provide an API key. You need to provide your API key in a header.",
        "invalid_request_error",
      ),
    ],
    ["a proxy", 407, ""],
  ],
  not_found: [
    ["Anthropic", 404, anthropic("not_found_error", "model: claude-nine")],
    [
      "OpenAI",
      404,
      openai(
        "The model `gpt-nine` does not exist or you do not have access to it.",
        "invalid_request_error",
        "model_not_found",
      ),
    ],
    ["Gemini", 404, google(404, "NOT_FOUND", "models/gemini-nine is not found for API version v1beta")],
    [
      "xAI",
      404,
      { code: "Some requested entity was not found", error: "The model grok-nine does not exist" },
    ],
    [
      "Groq",
      404,
      openai(
        "The model `nine` does not exist or you do not have access to it.",
        "invalid_request_error",
        "model_not_found",
      ),
    ],
    [
      "Mistral",
      400,
      { object: "error", message: "Invalid model: nine", type: "invalid_model", code: "1500" },
    ],
    ["DeepSeek", 400, openai("Model Not Exist", "invalid_request_error", "invalid_request_error")],
    ["OpenRouter", 400, { error: { message: "a/nine is not a valid model ID", code: 400 } }],
    ["OpenRouter", 404, { error: { message: "No endpoints found for a/nine.", code: 404 } }],
    ["Ollama", 404, { error: "model 'nine' not found" }],
    [
      "LM Studio",
      400,
      {
        error: { message: 'Model "nine" not found', type: "invalid_request_error", code: "model_not_found" },
      },
    ],
    [
      "vLLM",
      404,
      {
        error: { message: "The model `nine` does not exist.", type: "NotFoundError", param: null, code: 404 },
      },
    ],
  ],
  rate_limit: [
    [
      "Anthropic",
      429,
      anthropic("rate_limit_error", "This request would exceed your organization's rate limit"),
    ],
    ["Anthropic, in a stream", undefined, anthropic("rate_limit_error", "slow down")],
    ["OpenAI", 429, openai("Rate limit reached for gpt-5", "requests", "rate_limit_exceeded")],
    ["Gemini", 429, google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota")],
    [
      "Gemini, as a list",
      429,
      JSON.stringify([google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota")]),
    ],
    ["xAI", 429, { code: "Some resource has been exhausted", error: "Too many requests for team" }],
    [
      "Groq",
      429,
      openai("Rate limit reached for model `x`. Please try again in 2.5s.", "tokens", "rate_limit_exceeded"),
    ],
    [
      "Mistral",
      429,
      {
        object: "error",
        message: "Service tier capacity exceeded for this model.",
        type: "service_tier_capacity_exceeded",
        code: "3505",
      },
    ],
    ["Mistral", 429, { message: "Requests rate limit exceeded" }],
    ["DeepSeek", 429, openai("Too many requests", "rate_limit")],
    [
      "OpenRouter",
      429,
      {
        error: {
          message: "Provider returned error",
          code: 429,
          metadata: { raw: "x is temporarily rate-limited upstream" },
        },
      },
    ],
    ["Ollama", 429, { error: "you've reached your hourly usage limit" }],
    ["a proxy", 429, ""],
  ],
  overloaded: [
    ["Anthropic", 529, anthropic("overloaded_error", "Overloaded")],
    ["Anthropic, in a stream", undefined, anthropic("overloaded_error", "Overloaded")],
    ["Anthropic", 500, anthropic("api_error", "Internal server error")],
    ["OpenAI", 500, openai("The server had an error while processing your request.", "server_error")],
    ["OpenAI", 503, openai("The engine is currently overloaded, please try again later", "server_error")],
    ["OpenAI, in a stream", undefined, { error: { code: "server_error", message: "An error occurred" } }],
    ["Gemini", 503, google(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")],
    ["Gemini", 500, google(500, "INTERNAL", "An internal error has occurred.")],
    ["xAI", 503, { code: "The service is currently unavailable", error: "The model is at capacity" }],
    ["Groq", 503, openai("Service Unavailable", "internal_server_error")],
    [
      "Mistral",
      500,
      { object: "error", message: "Service unavailable.", type: "internal_server_error", code: "3700" },
    ],
    ["DeepSeek", 503, openai("The server is busy", "server_error")],
    ["OpenRouter", 502, { error: { message: "Provider returned error", code: 502 } }],
    ["Ollama", 503, { error: "server busy, please try again.  maximum pending requests exceeded" }],
    ["llama-server", 503, { error: { code: 503, message: "Loading model", type: "unavailable_error" } }],
    ["a proxy", 504, "<html>504 Gateway Time-out</html>"],
    ["a proxy", 408, ""],
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
};

describe("what a provider says when it fails", () => {
  const cases = Object.entries(wordings).flatMap(([kind, all]) => all.map((one) => [kind, ...one] as const));

  it.each(cases)("is %s for %s (HTTP %s): %j", (kind, _, status, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const error = read({ ...(status && { status }), body: text });
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind, provider: "test", status });
    expect(error.message).not.toBe("");
  });

  it("is shown in the provider's own words", () => {
    const messageOf = (body: object) => read({ status: 400, body: JSON.stringify(body) }).message;
    expect(messageOf({ error: "plain words" })).toBe("plain words");
    expect(messageOf(openai("in an object", "x"))).toBe("in an object");
    expect(messageOf({ object: "error", message: "at the top" })).toBe("at the top");
    expect(messageOf({ detail: "in detail" })).toBe("in detail");
    expect(messageOf({ detail: [{ msg: "first" }, { msg: "second" }] })).toBe("first; second");
    expect(messageOf({ message: { detail: [{ msg: "Field required" }] } })).toBe("Field required");
    expect(
      messageOf({ error: { message: "Provider returned error", metadata: { raw: "the real reason" } } }),
    ).toBe("Provider returned error: the real reason");
  });

  it("keeps the provider's name for it", () => {
    expect(read({ status: 529, body: anthropic("overloaded_error", "Overloaded") }).code).toBe(
      "overloaded_error",
    );
    expect(read({ status: 400, body: openai("x", "invalid_request_error", "unsupported_value") }).code).toBe(
      "unsupported_value invalid_request_error",
    );
  });
});

describe("a spent quota is a rate limit that waiting does not lift", () => {
  it.each<Case>([
    [
      "OpenAI",
      429,
      openai(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
      ),
    ],
    [
      "OpenAI, in a stream",
      undefined,
      { error: { code: "insufficient_quota", message: "You exceeded your current quota" } },
    ],
    [
      "Anthropic",
      400,
      anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    ],
    ["DeepSeek", 402, openai("Insufficient Balance", "unknown_error", "invalid_request_error")],
    ["OpenRouter", 402, { error: { message: "Insufficient credits. Add more", code: 402 } }],
    [
      "OpenRouter",
      402,
      { error: { message: "This request requires more credits, or fewer max_tokens.", code: 402 } },
    ],
    [
      "xAI",
      403,
      {
        code: "The caller does not have permission",
        error: "Your newly created team doesn't have any credits yet.",
      },
    ],
    [
      "xAI",
      429,
      {
        code: "Some resource has been exhausted",
        error: "Your team has used all available credits or reached its monthly spending limit.",
      },
    ],
    ["a gateway", 402, "Payment Required"],
  ])("at %s", (_, status, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(read({ ...(status && { status }), body: text })).toMatchObject({
      kind: "rate_limit",
      transient: false,
    });
  });

  it("unless the provider says when to come back", () => {
    const body = google(
      429,
      "RESOURCE_EXHAUSTED",
      "You exceeded your current quota, please check your plan and billing details.",
      [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }],
    );
    expect(read({ status: 429, body })).toMatchObject({
      kind: "rate_limit",
      transient: true,
      retryAfterMs: 34_000,
    });
  });
});

describe("an answer nobody can read", () => {
  it.each([
    [500, "", "overloaded", "HTTP 500 without an explanation"],
    [400, "{}", "bad_request", "HTTP 400 without an explanation"],
    [502, "<html>Bad gateway</html>", "overloaded", "HTTP 502 without an explanation"],
    [418, "short and stout", "bad_request", "short and stout"],
    [400, '{"foo":', "bad_request", '{"foo":'],
    [400, "[]", "bad_request", "[]"],
    [400, '{"error":null}', "bad_request", "HTTP 400 without an explanation"],
    [400, '{"error":{"message":5}}', "bad_request", "HTTP 400 without an explanation"],
    [undefined, "{}", "unknown", "an error without a message"],
  ])("with HTTP %s and the body %j is still an error with words", (status, body, kind, message) => {
    expect(read({ ...(status && { status }), body })).toMatchObject({ kind, message, status });
  });

  it("is shortened when it is huge", () => {
    const error = read({ status: 500, body: "x".repeat(200_000) });
    expect(error.message).toBe(`${"x".repeat(1_000)}…`);
  });

  it("never makes the reading itself fail", () => {
    const status = fc.option(fc.integer({ min: 100, max: 599 }), { nil: undefined });
    fc.assert(
      fc.property(status, fc.oneof(fc.json(), fc.string()), (code, body) => {
        const error = read({ ...(code && { status: code }), body });
        expect(error).toBeInstanceOf(ModelError);
        expect(error.message.length).toBeGreaterThan(0);
        expect(error.message.length).toBeLessThanOrEqual(1_001);
      }),
    );
  });
});
