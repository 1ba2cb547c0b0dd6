import * as z from "zod/mini";

const tokens = z.int().check(z.positive());
const dollars = z.number().check(z.nonnegative());
const text = z.string().check(z.minLength(1));
const toolCalling = z
  .enum(["native", "text"])
  .check(z.describe("text: the model has no tool calling of its own; calls are read from what it writes."));

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
  toolCalling: z.exactOptional(toolCalling),
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
    apiKey: z.exactOptional(
      text.check(
        z.describe(
          "The key itself, env:NAME to take it from a variable, or !command whose output is the key.",
        ),
      ),
    ),
    headers: z.exactOptional(
      z.record(z.string(), z.string()).check(z.describe("Sent with every request. Treated as secrets.")),
    ),
    toolCalling: z.exactOptional(toolCalling),
    idleTimeout: z.exactOptional(
      z
        .number()
        .check(z.positive(), z.describe("Seconds without a byte after which an answer counts as stalled.")),
    ),
    models: z.exactOptional(
      z.record(z.string(), modelSettings).check(z.describe("What is known of models, by their ids.")),
    ),
    package: z.exactOptional(
      text.check(z.describe("For type ai-sdk: an AI SDK provider package, such as @ai-sdk/cohere.")),
    ),
    options: z.exactOptional(
      z
        .record(z.string(), z.unknown())
        .check(z.describe("For type ai-sdk: passed to the package's create… function.")),
    ),
    script: z.exactOptional(
      text.check(z.describe("For type scripted: a JSON file with the answers to play.")),
    ),
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
