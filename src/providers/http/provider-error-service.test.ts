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
};

describe("what a provider says of itself, the key and the model", () => {
  const cases = Object.entries(wordings).flatMap(([kind, all]) => all.map((one) => [kind, ...one] as const));

  it.each(cases)("is %s for %s (HTTP %s): %j", (kind, _, status, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const error = providerError(endpoint, { ...(status && { status }), body: text });
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ kind, provider: "test", status });
    expect(error.message).not.toBe("");
  });
});
