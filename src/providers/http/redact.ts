/** Providers echo keys in their errors. Takes every secret out of a text, also where it was JSON-escaped or cut. */
export function redact(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < shortestSecret) continue;
    clean = clean.replaceAll(secret, mask).replaceAll(encodeURIComponent(secret), mask);
    // "Incorrect API key provided: sk-proj-abcd…": a long enough beginning gives the key away as well.
    const head = secret.slice(0, tellingHead);
    if (secret.length > tellingHead) clean = replaceFrom(clean, head, secret);
  }
  return clean;
}

const mask = "[redacted]";
/** A one-word key such as "x" for a local server is no secret, and would blank out half of every message. */
const shortestSecret = 6;
const tellingHead = 12;

function replaceFrom(text: string, head: string, secret: string): string {
  let clean = text;
  for (let at = clean.indexOf(head); at !== -1; at = clean.indexOf(head, at + mask.length)) {
    let end = head.length;
    while (end < secret.length && clean[at + end] === secret[end]) end++;
    clean = clean.slice(0, at) + mask + clean.slice(at + end);
  }
  return clean;
}
