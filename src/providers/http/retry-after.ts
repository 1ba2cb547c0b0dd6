import type { SaidFailure } from "./provider-error.ts";
import { object, text } from "./read-json.ts";

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** How long the provider asks us to wait, from whichever place it says so; milliseconds. */
export function retryAfter(
  headers: Headers,
  said: Pick<SaidFailure, "message" | "details">,
): number | undefined {
  return (
    fromMilliseconds(headers["retry-after-ms"]) ??
    fromHeader(headers["retry-after"]) ??
    fromDetails(said.details) ??
    fromMessage(said.message)
  );
}

function fromMilliseconds(header: string | readonly string[] | undefined): number | undefined {
  return typeof header === "string" && /^\d+(\.\d+)?$/.test(header) ? Number(header) : undefined;
}

/** Seconds ("30") or a date ("Wed, 21 Oct 2026 07:28:00 GMT"). */
function fromHeader(header: string | readonly string[] | undefined): number | undefined {
  if (typeof header !== "string") return undefined;
  if (/^\d+(\.\d+)?$/.test(header)) return Number(header) * 1_000;
  const date = /\d{4}/.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** Gemini: {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}. */
function fromDetails(details: readonly unknown[]): number | undefined {
  for (const detail of details) {
    const delay = /^(\d+(?:\.\d+)?)s$/.exec(text(object(detail).retryDelay));
    if (delay) return Math.ceil(Number(delay[1]) * 1_000);
  }
  return undefined;
}

/**
 * OpenAI: "Please try again in 11.054s." or "in 320ms."; Groq: "in 7m12.48s"; Gemini: "retry in 2h3m4.5s"; Azure:
 * "retry after 26 seconds".
 */
function fromMessage(message: string): number | undefined {
  const wait =
    /(?:try again|retry) (?:in|after) ((?:\d+(?:\.\d+)? ?(?:ms|h|m|s)(?![a-z]) ?)+|\d+ second)/i.exec(
      message,
    )?.[1];
  if (wait === undefined) return undefined;
  const parts = [...wait.toLowerCase().matchAll(/(\d+(?:\.\d+)?) ?(ms|h|m|s)/g)];
  return Math.ceil(
    parts.reduce((sum, [, number, unit]) => sum + Number(number) * (unitMs[unit ?? ""] ?? 0), 0),
  );
}
