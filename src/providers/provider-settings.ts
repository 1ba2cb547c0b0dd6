import * as z from "zod/mini";

const tokens = z.int().check(z.positive());
const dollars = z.number().check(z.nonnegative());

const modelSettings = z.strictObject({
  name: z.exactOptional(z.string()),
  contextWindow: z.exactOptional(tokens),
  maxOutputTokens: z.exactOptional(tokens),
  images: z.exactOptional(z.boolean()),
  tools: z.exactOptional(z.boolean()),
  price: z.exactOptional(
    z.strictObject({
      input: dollars,
      output: dollars,
      cacheRead: z.exactOptional(dollars),
      cacheWrite: z.exactOptional(dollars),
    }),
  ),
  toolCalling: z.exactOptional(z.enum(["native", "text"])),
});

export const providerTypes = [
  "openai-compatible",
  "openai",
  "anthropic",
  "google",
  "ollama",
  "ai-sdk",
  "scripted",
] as const;

/**
 * A provider in the user's settings. Under a known name (`anthropic`, `ollama`, …) it changes that one, and `type`
 * may be left out.
 */
export const providerSettings = z
  .strictObject({
    type: z.exactOptional(z.enum(providerTypes)),
    baseURL: z.exactOptional(z.url({ protocol: /^https?$/, error: "must be an http(s) address" })),
    /** The key itself, `env:NAME`, or `!command` whose output is the key. */
    apiKey: z.exactOptional(z.string().check(z.minLength(1))),
    headers: z.exactOptional(z.record(z.string(), z.string())),
    /** `text`: the model has no tool calling of its own; tools are described in the prompt and calls read from its text. */
    toolCalling: z.exactOptional(z.enum(["native", "text"])),
    /** Seconds without a byte after which an answer counts as stalled. */
    idleTimeout: z.exactOptional(z.number().check(z.positive())),
    models: z.exactOptional(z.record(z.string(), modelSettings)),
    /** `type: "ai-sdk"`: the name of an AI SDK provider package. */
    package: z.exactOptional(z.string().check(z.minLength(1))),
    /** `type: "ai-sdk"`: passed to the package's `create…` function. */
    options: z.exactOptional(z.record(z.string(), z.unknown())),
    /** `type: "scripted"`: a JSON file with the answers to play. */
    script: z.exactOptional(z.string().check(z.minLength(1))),
  })
  .check(
    z.refine((provider) => provider.type !== "openai-compatible" || provider.baseURL !== undefined, {
      path: ["baseURL"],
      error: "is required for an openai-compatible provider",
    }),
    z.refine((provider) => provider.type !== "ai-sdk" || provider.package !== undefined, {
      path: ["package"],
      error: 'is required for an ai-sdk provider: the package to load, such as "@ai-sdk/cohere"',
    }),
    z.refine((provider) => provider.type !== "scripted" || provider.script !== undefined, {
      path: ["script"],
      error: "is required for a scripted provider: the file with its answers",
    }),
  );

export type ProviderSettings = z.infer<typeof providerSettings>;
export type ProvidersSettings = Readonly<Record<string, ProviderSettings>>;
