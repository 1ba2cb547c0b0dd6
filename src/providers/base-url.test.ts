import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeBaseURL } from "./base-url.ts";
import type { WireName } from "./provider-preset.ts";

const table: Readonly<
  Record<WireName, readonly (readonly [written: string, expected: string | undefined])[]>
> = {
  "anthropic-messages": [
    ["https://api.anthropic.com", "https://api.anthropic.com"],
    ["https://api.anthropic.com/", "https://api.anthropic.com"],
    ["https://api.anthropic.com/v1", "https://api.anthropic.com"],
    ["https://api.anthropic.com/v1/", "https://api.anthropic.com"],
    ["https://gateway.example/anthropic/v1", "https://gateway.example/anthropic"],
    ["  https://gateway.example/  ", "https://gateway.example"],
    ["gateway.example:8080", "http://gateway.example:8080"],
    ["HTTPS://Gateway.Example/Path//", "https://gateway.example/Path"],
  ],
  "openai-responses": [
    ["https://api.openai.com", "https://api.openai.com/v1"],
    ["https://api.openai.com/v1/", "https://api.openai.com/v1"],
    ["http://localhost:4000/proxy", "http://localhost:4000/proxy"],
  ],
  "chat-completions": [
    ["http://127.0.0.1:1234", "http://127.0.0.1:1234/v1"],
    ["http://127.0.0.1:1234/", "http://127.0.0.1:1234/v1"],
    ["http://127.0.0.1:1234/v1", "http://127.0.0.1:1234/v1"],
    ["https://api.groq.com/openai/v1", "https://api.groq.com/openai/v1"],
    ["https://open.bigmodel.cn/api/paas/v4/", "https://open.bigmodel.cn/api/paas/v4"],
  ],
  gemini: [
    ["https://generativelanguage.googleapis.com", "https://generativelanguage.googleapis.com/v1beta"],
    ["https://generativelanguage.googleapis.com/v1beta/", "https://generativelanguage.googleapis.com/v1beta"],
    ["https://generativelanguage.googleapis.com/v1", "https://generativelanguage.googleapis.com/v1"],
    ["https://gateway.example/gemini", "https://gateway.example/gemini/v1beta"],
  ],
  // As Ollama itself reads OLLAMA_HOST.
  ollama: [
    ["127.0.0.1", "http://127.0.0.1:11434"],
    ["127.0.0.1:9999", "http://127.0.0.1:9999"],
    ["0.0.0.0", "http://127.0.0.1:11434"],
    ["0.0.0.0:9999", "http://127.0.0.1:9999"],
    ["http://0.0.0.0:11434/", "http://127.0.0.1:11434"],
    [":9999", "http://127.0.0.1:9999"],
    ["localhost", "http://localhost:11434"],
    ["::1", "http://[::1]:11434"],
    ["[::1]", "http://[::1]:11434"],
    ["[::1]:9999", "http://[::1]:9999"],
    ["[::]:11434", "http://[::1]:11434"],
    ["::", "http://[::1]:11434"],
    ["http://box", "http://box"],
    ["http://box:80", "http://box"],
    ["box:80", "http://box"],
    ["https://ollama.example", "https://ollama.example"],
    ["https://ollama.example/api", "https://ollama.example"],
    ["http://127.0.0.1:11434/v1/", "http://127.0.0.1:11434"],
    ["box/ollama", "http://box:11434/ollama"],
  ],
};

describe.each(Object.entries(table))("for %s", (wire, rows) => {
  it.each(rows)("%j means %j", (written, expected) => {
    expect(normalizeBaseURL(written, wire as WireName)).toBe(expected);
  });

  it.each([
    "",
    "   ",
    "ftp://example.com",
    "file:///etc/passwd",
    "http://",
    "https://name:secret@example.com",
    "https://token@example.com/v1",
    "name:secret@example.com",
  ])("%j is no address", (written) => {
    expect(normalizeBaseURL(written, wire as WireName)).toBeUndefined();
  });

  it("a normal address stays as it is", () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ["http", "https"] }), (written) => {
        const once = normalizeBaseURL(written, wire as WireName);
        expect(once).toBeDefined();
        expect(normalizeBaseURL(once ?? "", wire as WireName)).toBe(once);
      }),
    );
  });

  it("nothing one could write throws", () => {
    fc.assert(fc.property(fc.string(), (written) => void normalizeBaseURL(written, wire as WireName)));
  });
});
