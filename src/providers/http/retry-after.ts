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
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Gemini: {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34.4s"}. */
function fromDetails(details: readonly unknown[]): number | undefined {
  for (const detail of details) {
    const delay = /^(\d+(?:\.\d+)?)s$/.exec(text(object(detail).retryDelay));
    if (delay) return Math.ceil(Number(delay[1]) * 1_000);
  }
  return undefined;
}

/** OpenAI: "Please try again in 11.054s." or "in 320ms." */
function fromMessage(message: string): number | undefined {
  const wait = /(?:try again|retry) in (\d+(?:\.\d+)?) ?(ms|s)\b/i.exec(message);
  return wait ? Math.ceil(Number(wait[1]) * (wait[2] === "ms" ? 1 : 1_000)) : undefined;
}
