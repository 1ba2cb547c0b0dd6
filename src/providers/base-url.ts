import type { WireName } from "./provider-preset.ts";

/**
 * People write base URLs with and without the version, with a trailing slash, and for Ollama as its server takes them
 * (`OLLAMA_HOST=0.0.0.0:11434`). Undefined when it is no http(s) address, or one with a name, a password or a query in
 * it: those would be sent nowhere.
 */
export function normalizeBaseURL(written: string, wire: WireName): string | undefined {
  const address = written.trim();
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(address);
  const url = hasScheme ? URL.parse(address) : withoutScheme(address, wire);
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (url.username !== "" || url.password !== "" || url.search !== "") return undefined;
  if (wire === "ollama") {
    // A server listens on all addresses of its machine; a client cannot call it there everywhere.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (url.hostname === "[::]") url.hostname = "[::1]";
  }
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${versioned(path, wire)}`;
}

function withoutScheme(address: string, wire: WireName): URL | null {
  if (wire !== "ollama") return URL.parse(`http://${address}`);
  if (/^[\da-f:]*:[\da-f:]*:[\da-f:]*$/i.test(address)) return URL.parse(`http://[${address}]:11434`);
  const url = URL.parse(`http://${address.startsWith(":") ? `127.0.0.1${address}` : address}`);
  // Asked of the text: a URL forgets port 80.
  if (url && !/^(\[[^\]]*\]|[^:/]*):\d+/.test(address) && !address.startsWith(":")) url.port = "11434";
  return url;
}

function versioned(path: string, wire: WireName): string {
  switch (wire) {
    case "anthropic-messages":
      return path.replace(/\/v1$/, "");
    case "ollama":
      return path.replace(/\/(v1|api)$/, "");
    case "gemini":
      return /\/v\d+(alpha|beta)?$/.test(path) ? path : `${path}/v1beta`;
    case "openai-responses":
    case "chat-completions":
      return path === "" ? "/v1" : path;
  }
}
