import { describe, expect, it, vi } from "vitest";
import { retryAfter } from "./retry-after.ts";

const silent = { message: "", details: [] };
const says = (message: string) => retryAfter({}, { message, details: [] });
const header = (value: string) => retryAfter({ "retry-after": value }, silent);

describe("how long to wait", () => {
  it.each([
    ["30", 30_000],
    ["0", 0],
    ["1.5", 1_500],
  ])("is read from the header in seconds: %s", (value, expected) => {
    expect(header(value)).toBe(expected);
  });

  it.each(["", "soon", "-5", "NaN", "1e3x"])("is unknown for the header %j", (value) => {
    expect(header(value)).toBeUndefined();
  });

  it("is read from a date in the header, by the time that is left until then", () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 9, 21, 7, 27, 30), toFake: ["Date"] });
    try {
      expect(header("Wed, 21 Oct 2026 07:28:00 GMT")).toBe(30_000);
      expect(header("Wed, 21 Oct 2026 07:27:30 GMT")).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is nothing for a date in the past", () => {
    expect(header("Wed, 21 Oct 2015 07:28:00 GMT")).toBe(0);
  });

  it("is read from the header in milliseconds, which goes before the coarser one", () => {
    expect(retryAfter({ "retry-after-ms": "1234", "retry-after": "2" }, silent)).toBe(1_234);
    expect(retryAfter({ "retry-after-ms": "soon", "retry-after": "2" }, silent)).toBe(2_000);
  });

  it("is read from Gemini's details", () => {
    const retryInfo = (retryDelay: unknown) =>
      retryAfter(
        {},
        {
          message: "",
          details: [
            { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [] },
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay },
          ],
        },
      );
    expect(retryInfo("34.4s")).toBe(34_400);
    expect(retryInfo("0.0001s")).toBe(1);
    for (const odd of ["34", "s", 34, null, { seconds: 34 }]) expect(retryInfo(odd)).toBeUndefined();
  });

  it.each([
    ["Rate limit reached for gpt-5 … Please try again in 11.054s. Visit …", 11_054],
    ["Please try again in 320ms.", 320],
    [
      "Rate limit reached for model `x` on tokens per day (TPD) … Please try again in 7m12.48s. Need more",
      432_480,
    ],
    ["Please try again in 1h2m3s.", 3_723_000],
    ["You exceeded your current quota. Please retry in 34.429814s.", 34_430],
    ["Please retry after 26 seconds.", 26_000],
    ["try again in 1 second", 1_000],
    ["Please try again in 6m0s", 360_000],
  ])("is read from the provider's words: %s", (message, expected) => {
    expect(says(message)).toBe(expected);
  });

  it.each(["Please try again later.", "try again in a while", "try again in 5 models", "in 5s", ""])(
    "is unknown from: %s",
    (message) => expect(says(message)).toBeUndefined(),
  );

  it("takes the header's word before the prose", () => {
    expect(retryAfter({ "retry-after": "1" }, { message: "try again in 20s", details: [] })).toBe(1_000);
  });
});
