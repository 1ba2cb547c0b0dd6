import { userMessage } from "../../src/model/message.ts";
import type { ModelEvent } from "../../src/model/model-event.ts";
import type { ModelRequest } from "../../src/model/model-request.ts";
import type { StreamModel } from "../../src/model/stream-model.ts";
import { type OpenedModel, openModel } from "../../src/providers/open-model.ts";
import type { ProviderSettings } from "../../src/providers/provider-settings.ts";
import type { WireName } from "./wire-answers.ts";

/** A provider that speaks each of the wire formats. */
export const wireProviders = {
  anthropic: "anthropic",
  responses: "openai",
  chat: "groq",
  gemini: "google",
  ollama: "ollama",
} as const satisfies Record<WireName, string>;

export const wireNames = Object.keys(wireProviders) as WireName[];

export function openWire(
  wire: WireName,
  baseURL: string,
  settings: ProviderSettings = {},
): Promise<OpenedModel> {
  const provider = wireProviders[wire];
  return openModel(`${provider}/test-model`, {
    providers: { [provider]: { baseURL, apiKey: "key-of-the-test", ...settings } },
    env: {},
    configFolder: "/nonexistent",
  });
}

export const helloRequest: ModelRequest = { model: "test-model", messages: [userMessage("Hello")] };

export type Outcome = { readonly events: readonly ModelEvent[]; readonly error: unknown };

/** Everything a stream yields, and what it throws at last, if anything. */
export async function outcomeOf(
  stream: StreamModel,
  request: ModelRequest = helloRequest,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const events: ModelEvent[] = [];
  try {
    for await (const event of stream(request, signal)) events.push(event);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}
