import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { testEndpoint as endpoint } from "../../../test/support/decode-all.ts";
import {
  anthropicFailure as anthropic,
  googleFailure as google,
  openaiFailure as openai,
  type SaidFailure,
} from "../../../test/support/provider-failures.ts";
import { ModelError } from "../../model/model-error.ts";
import { type ProviderFailure, providerError } from "./provider-error.ts";

const read = (failure: ProviderFailure) => providerError(endpoint, failure);

describe("what a provider says when it fails", () => {
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
  it.each<SaidFailure>([
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
  it("is not taken for a known one because of a word that every object knows", () => {
    const body = { error: { message: "odd", type: "constructor", code: "toString" } };
    expect(read({ status: 418, body }).kind).toBe("bad_request");
  });

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
