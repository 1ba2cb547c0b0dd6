import type { WireName } from "./provider-preset.ts";

/**
 * People write base URLs with and without the version, with a trailing slash, and for Ollama without a scheme
 * (`OLLAMA_HOST=0.0.0.0:11434`). Undefined when it is no http(s) address.
 */
export function normalizeBaseURL(written: string, wire: WireName): string | undefined {
  const withScheme = /^[a-z]+:\/\//i.test(written) ? written : `http://${written}`;
  const url = URL.parse(withScheme.trim());
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:")) return undefined;
  if (wire === "ollama") {
    // A server listens on 0.0.0.0; a client cannot call it there everywhere.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    if (url.port === "" && url.protocol === "http:") url.port = "11434";
  }
  const path = url.pathname.replace(/\/+$/, "");
  return `${url.origin}${versioned(path, wire)}`;
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
