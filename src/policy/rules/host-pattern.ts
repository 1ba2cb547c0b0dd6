import { RuleSyntaxError } from "./rule-syntax-error.ts";

/** `example.com`, or `*.example.com` for all below it. */
export type HostPattern = { readonly kind: "host"; readonly host: string };

export function parseHostPattern(text: string): HostPattern {
  const host = text.trim().toLowerCase();
  if (host === "*") return { kind: "host", host };
  const name = hostOf(`http://${host.replace(/^\*\./, "")}/`);
  if (name === undefined || /[/@?#]/.test(host) || /\*/.test(host.slice(1)))
    throw new RuleSyntaxError("must name a host, such as host:example.com or host:*.example.com");
  return { kind: "host", host: host.startsWith("*.") ? `*.${name}` : name };
}

export function matchesHost({ host }: HostPattern, name: string): boolean {
  if (host === "*") return true;
  return host.startsWith("*.") ? name.endsWith(host.slice(1)) : name === host;
}

/** As a browser would read it: `0x7f.1` is `127.0.0.1`, a dot at the end does not count. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname.replace(/\.$/, "").replace(/^\[|\]$/g, "") || undefined;
}
