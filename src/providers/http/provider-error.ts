import { isJsonObject, type JsonObject } from "../../model/json.ts";
import { ModelError, type ModelErrorKind } from "../../model/model-error.ts";
import type { Endpoint } from "./endpoint.ts";
import { array, lookUp, object, optionalText, parseObject, text } from "./read-json.ts";
import { redact } from "./redact.ts";
import { retryAfter } from "./retry-after.ts";

/** What a provider said when it failed: an HTTP answer, or an error event in the middle of a stream. */
export type ProviderFailure = {
  /** Absent in the middle of a stream, where the HTTP status was 200. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string | JsonObject;
};

export const longestMessage = 1_000;

/** The one place that reads provider prose. */
export function providerError(endpoint: Endpoint, failure: ProviderFailure): ModelError {
  const { provider } = endpoint;
  if (failure.status === 404 && isWebPage(failure.body)) {
    const message = `${endpoint.baseURL} answered with a web page. Is the base URL right?`;
    return new ModelError("bad_request", message, { provider, status: failure.status });
  }
  const said = readFailure(failure.body);
  const status = failure.status ?? said.status;
  const words = `${said.code} ${said.message}`;
  const known = kindOfWords(words) ?? kindOfTellingStatus(status) ?? kindOfCode(said.code);
  const kind = known ?? kindOfStatus(status) ?? "unknown";
  const retryAfterMs = retryAfter(failure.headers ?? {}, said);
  const message =
    said.message || (status ? `HTTP ${status} without an explanation` : "an error without a message");
  return new ModelError(kind, shorten(redact(message, endpoint.secrets)), {
    provider,
    ...(status !== undefined && { status }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(said.code && { code: redact(said.code, endpoint.secrets) }),
    ...((status === 402 || quotaIsSpent.test(words)) && retryAfterMs === undefined && { transient: false }),
  });
}

export type SaidFailure = {
  readonly message: string;
  readonly code: string;
  readonly status: number | undefined;
  readonly details: readonly unknown[];
};

/**
 * The shapes in use:
 *   {"error":{"message":…,"type":…,"code":…}}            OpenAI and most others; Anthropic adds "type":"error"
 *   {"error":{"code":429,"status":"RESOURCE_EXHAUSTED"}} Gemini, at times inside an array
 *   {"error":"…","code":"…"}                             xAI, Ollama
 *   {"object":"error","message":…,"type":…}              Mistral, vLLM; Mistral also with "message":{"detail":[…]}
 *   {"detail":"…"} or {"detail":[{"msg":…}]}             FastAPI servers
 */
function readFailure(body: string | JsonObject): SaidFailure {
  const parsed = typeof body === "string" ? parseFailure(body) : body;
  if (!parsed) {
    return { message: isWebPage(body) ? "" : text(body).trim(), code: "", status: undefined, details: [] };
  }
  const error = isJsonObject(parsed.error) ? parsed.error : parsed;
  const reasons = array(error.details).map((detail) => text(object(detail).reason));
  const code = [error.code, error.type, error.status, ...reasons]
    .filter((word): word is string => typeof word === "string" && word !== "" && word !== "error")
    .join(" ");
  // OpenRouter wraps the words of the provider it asked: {"metadata":{"raw":"{\"error\":…}"}}.
  const raw = optionalText(object(error.metadata).raw);
  const message =
    optionalText(error.message) ??
    optionalText(parsed.error) ??
    detailText(parsed.detail ?? object(error.message).detail);
  const numeric = [error.status, error.code, parsed.status].find((value) => isHttpStatus(value));
  return {
    message: [message, raw].filter(Boolean).join(": "),
    code,
    status: typeof numeric === "number" ? numeric : undefined,
    details: array(error.details),
  };
}

function isWebPage(body: string | JsonObject): boolean {
  return typeof body === "string" && /^\s*</.test(body);
}

function parseFailure(body: string): JsonObject | undefined {
  const whole = parseObject(body);
  if (whole) return whole;
  try {
    const list: unknown = JSON.parse(body);
    return Array.isArray(list) && isJsonObject(list[0]) ? list[0] : undefined;
  } catch {
    return undefined; // not JSON: an HTML page, a plain sentence
  }
}

function detailText(detail: unknown): string {
  if (typeof detail === "string") return detail;
  return array(detail)
    .map((item) => text(object(item).msg))
    .filter(Boolean)
    .join("; ");
}

function isHttpStatus(value: unknown): boolean {
  return typeof value === "number" && value >= 400 && value < 600;
}

const quotaIsSpent =
  /insufficient_quota|insufficient balance|credit balance|billing|(out of|insufficient|purchase|have any) credits|spending limit/i;

/** Words that decide whatever the status says, each seen in a provider's answer. */
const wordings: readonly (readonly [ModelErrorKind, RegExp])[] = [
  [
    "context_overflow",
    new RegExp(
      [
        "context_length_exceeded",
        "exceed_context_size",
        "prompt is too long", // Anthropic: "prompt is too long: 3333404 tokens > 200000 maximum"
        "prompt too long", // Ollama: "prompt too long; exceeded max context length by 1119046 tokens"
        "request_too_large",
        "exceeds? (the )?(available |maximum )?context (size|window|length|limit)", // OpenAI Responses, llama.cpp, Anthropic
        "maximum context length", // OpenAI chat, DeepSeek, vLLM, OpenRouter, Mistral
        "maximum prompt length", // xAI: "This model's maximum prompt length is 131072 but the request contains …"
        "input token count.{0,40}exceeds the maximum", // Gemini
        "longer than the maximum model length", // vLLM
        "reduce the length of the messages", // Groq
        "request too large for", // Groq and OpenAI: the tokens a minute are fewer than those of this one request
        "exceeds the max_model_len", // vLLM
        "when context the overflows", // LM Studio, word for word
        "input is too long for", // Anthropic's models at Bedrock
        "exceeded model token limit", // Moonshot
        "prompt exceeds max length", // Z.ai
        "greater than the context length", // LM Studio
        "context window (is )?exceeded",
        "too many tokens in (the )?(prompt|input)",
      ].join("|"),
      "i",
    ),
  ],
  [
    "auth",
    /api[ _-]?key (is )?(not valid|invalid)|(invalid|incorrect) api[ _-]?key|api_key_invalid|authentication_error|unauthenticated/i,
  ],
  [
    "not_found",
    /model_not_found|invalid_model|not a valid model|model names? are .* but you passed|model .{0,80}(does not exist|not found|is not found)|model not exist|unknown model|no such model/i,
  ],
  [
    "refused",
    // In this order also: Anthropic, OpenRouter, xAI, DeepSeek.
    /content_policy|content_filter|invalid_prompt|responsible ?ai|safety system|content filtering policy|input was flagged|violates usage guidelines|content exists risk/i,
  ],
  // llama-server answers 500 to what is a wrong start of the server: "tools param requires --jinja flag".
  ["bad_request", /requires --jinja/i],
  [
    "rate_limit",
    /rate_limit|insufficient_quota|resource_exhausted|credit balance is too low|too many requests|have any credits|all available credits/i,
  ],
  ["overloaded", /overloaded|server_is_overloaded|\bunavailable\b|engine is currently/i],
];

function kindOfWords(words: string): ModelErrorKind | undefined {
  return wordings.find(([, wording]) => wording.test(words))?.[0];
}

const codes: Readonly<Record<string, ModelErrorKind>> = {
  api_error: "overloaded",
  server_error: "overloaded",
  internal_server_error: "overloaded",
  timeout_error: "overloaded",
  INTERNAL: "overloaded",
  permission_error: "auth",
  PERMISSION_DENIED: "auth",
  not_found_error: "not_found",
  NOT_FOUND: "not_found",
  invalid_request_error: "bad_request",
  INVALID_ARGUMENT: "bad_request",
  tool_use_failed: "bad_request",
};

function kindOfCode(code: string): ModelErrorKind | undefined {
  for (const word of code.split(" ")) {
    const kind = lookUp(codes, word);
    if (kind) return kind;
  }
  return undefined;
}

/** Says more than the code beside it: OpenAI calls a missing key, DeepSeek an empty account an `invalid_request_error`. */
function kindOfTellingStatus(status: number | undefined): ModelErrorKind | undefined {
  if (status === 401 || status === 403 || status === 407) return "auth";
  if (status === 402 || status === 429) return "rate_limit";
  return status === 404 ? "not_found" : undefined;
}

function kindOfStatus(status: number | undefined): ModelErrorKind | undefined {
  if (status === undefined) return undefined;
  if (status === 408 || status >= 500) return "overloaded";
  if (status === 413) return "context_overflow";
  if (status >= 400) return "bad_request";
  return undefined;
}

function shorten(message: string): string {
  return message.length <= longestMessage ? message : `${message.slice(0, longestMessage)}…`;
}
