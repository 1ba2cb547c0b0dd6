import { isJsonObject, type JsonValue } from "../../model/json.ts";

/** Providers echo keys in their errors. Takes every secret out of a text, also where it was escaped or cut. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of longestFirst(secrets)) {
    if (secret.length < shortestSecret) continue;
    for (const form of writtenForms(secret)) clean = clean.replaceAll(form, mask);
    // "Incorrect API key provided: sk-proj-abcd…": a long enough beginning gives the key away as well.
    const head = secret.slice(0, tellingHead);
    if (secret.length > tellingHead) clean = replaceFrom(clean, head, secret);
  }
  return clean;
}

/** The same for every text inside a JSON value. */
export function redactJson(value: JsonValue, secrets: readonly string[]): JsonValue {
  if (typeof value === "string") return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item: JsonValue) => redactJson(item, secrets));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [redact(key, secrets), redactJson(item, secrets)]),
  );
}

/**
 * What must not be shown of a header's value: the whole, and the token alone (`Bearer sk-…`), since that is what a
 * server repeats.
 */
export function headerSecrets(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) => [value, ...value.trim().split(/\s+/).slice(1)]);
}

const mask = "[redacted]";
/** A one-word key such as "x" for a local server is no secret, and would blank out half of every message. */
const shortestSecret = 6;
const tellingHead = 12;

/** One secret may be the end of another: the longer one goes first, or its rest would stay. */
function longestFirst(secrets: readonly string[]): readonly string[] {
  return secrets.toSorted((one, other) => other.length - one.length);
}

function writtenForms(secret: string): ReadonlySet<string> {
  const inJson = JSON.stringify(secret).slice(1, -1);
  return new Set([secret, encodeURIComponent(secret.toWellFormed()), inJson]);
}

function replaceFrom(text: string, head: string, secret: string): string {
  let clean = text;
  for (let at = clean.indexOf(head); at !== -1; at = clean.indexOf(head, at + mask.length)) {
    let end = head.length;
    while (end < secret.length && clean[at + end] === secret[end]) end++;
    clean = clean.slice(0, at) + mask + clean.slice(at + end);
  }
  return clean;
}
