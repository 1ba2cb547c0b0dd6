import { expect, it } from "vitest";
import { ModelError } from "./model-error.ts";

it.each(["overloaded", "rate_limit", "network", "cut_off"] as const)("%s may pass by itself", (kind) => {
  expect(new ModelError(kind, "words").transient).toBe(true);
});

it.each(["context_overflow", "auth", "bad_request", "not_found", "refused", "unknown"] as const)(
  "%s does not pass by itself",
  (kind) => expect(new ModelError(kind, "words").transient).toBe(false),
);

it("a spent quota does not pass although rate limits do", () => {
  expect(new ModelError("rate_limit", "words", { transient: false }).transient).toBe(false);
});

it("keeps what is known of the failure, and has no cause unless given one", () => {
  const cause = new Error("below");
  const details = { provider: "p", status: 429, retryAfterMs: 5, code: "c", cause };
  expect(new ModelError("rate_limit", "words", details)).toMatchObject({
    name: "ModelError",
    message: "words",
    ...details,
  });
  expect(new ModelError("unknown", "words")).not.toHaveProperty("cause");
});
