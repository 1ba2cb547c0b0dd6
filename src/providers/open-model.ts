import { catalogue, findModel, type Model } from "../model/catalogue.ts";
import { closestWord } from "../model/closest-word.ts";
import type { StreamModel } from "../model/stream-model.ts";
import type { ThinkingLevel } from "../model/thinking-level.ts";
import { ConfigurationError, type Environment } from "./credentials.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { parseModelReference } from "./model-reference.ts";
import { settingsModel } from "./model-settings.ts";
import type { ProviderSettings, ProvidersSettings } from "./provider-settings.ts";
import { openEndpoint, providerNames, type ResolvedProvider, resolveProvider } from "./resolve-provider.ts";
import { streamAnswer } from "./wire/stream-answer.ts";
import type { WireFormat } from "./wire/wire-format.ts";

export type OpenModelOptions = {
  readonly providers: ProvidersSettings;
  readonly env: Environment;
  /** The user's configuration folder: the only place foreign provider packages and scripts are loaded from. */
  readonly configFolder: string;
};

/** A model ready to be asked. */
export type OpenedModel = {
  readonly provider: string;
  /** The model's id, for `ModelRequest.model`. */
  readonly id: string;
  readonly stream: StreamModel;
  /** What is known of it. */
  readonly facts: Model | undefined;
  readonly thinking: ThinkingLevel | undefined;
  readonly toolCalling: "native" | "text";
};

/** Opens `provider/model[:thinking]`. Imports only what that provider needs; throws `ConfigurationError`. */
export async function openModel(reference: string, options: OpenModelOptions): Promise<OpenedModel> {
  const parsed = parseModelReference(reference);
  if (!parsed) throw new ConfigurationError(`"${reference}" is not a model. ${meantModel(reference)}`);
  const { provider: name, model: id, thinking } = parsed;
  const settings = Object.hasOwn(options.providers, name) ? options.providers[name] : undefined;
  const facts = settingsModel(findModel(catalogue, name, id), id, settings);
  const { stream, facts: learned } = await openStream(name, id, settings, facts, options);
  return {
    provider: name,
    id,
    stream,
    facts: learned ?? facts,
    thinking,
    toolCalling: settings?.models?.[id]?.toolCalling ?? settings?.toolCalling ?? "native",
  };
}

/** Who names a model without its provider mostly means one that is well known. */
function meantModel(written: string): string {
  const [id = ""] = written.split(":");
  const provider = Object.keys(catalogue).find((name) => findModel(catalogue, name, id));
  return provider ? `Did you mean ${provider}/${written}?` : "Write provider/model, such as ollama/qwen3:8b.";
}

type OpenedStream = { readonly stream: StreamModel; readonly facts?: Model | undefined };

async function openStream(
  name: string,
  id: string,
  settings: ProviderSettings | undefined,
  facts: Model | undefined,
  options: OpenModelOptions,
): Promise<OpenedStream> {
  if (settings?.type === "ai-sdk") {
    const { openPackageModel } = await import("./ai-sdk/open-package-model.ts");
    return { stream: await openPackageModel(name, id, settings, options) };
  }
  if (settings?.type === "scripted") {
    const { openScriptFile } = await import("./scripted/script-file.ts");
    return { stream: await openScriptFile(name, settings.script ?? "", options.configFolder) };
  }
  const provider = resolveProvider(name, options.providers, options.env);
  if (!provider) {
    const known = providerNames(options.providers);
    const meant = closestWord(name, known);
    const hint = meant
      ? `Did you mean ${meant}/${id}?`
      : `Known are ${known.join(", ")}; settings can add more.`;
    throw new ConfigurationError(`There is no provider "${name}". ${hint}`);
  }
  const endpoint = await openEndpoint(provider, options.env);
  if (provider.wire === "ollama") return openOllama(endpoint, id, facts);
  const stream = wireStream(await loadWire(provider), endpoint, facts);
  if (name !== "openai" || !provider.customURL) return { stream };
  const { responsesOrChat } = await import("./responses-or-chat.ts");
  const chat = await loadWire({ ...provider, wire: "chat-completions", dialect: "openai" });
  return { stream: responsesOrChat(stream, wireStream(chat, endpoint, facts)) };
}

async function openOllama(endpoint: Endpoint, id: string, facts: Model | undefined): Promise<OpenedStream> {
  const { describeOllamaModel } = await import("./local/ollama-model.ts");
  const { ollamaChat } = await import("./wire/ollama/ollama-chat.ts");
  const described = await describeOllamaModel(endpoint, id, facts);
  return { stream: wireStream(ollamaChat, endpoint, described), facts: described };
}

function wireStream(format: WireFormat, endpoint: Endpoint, facts: Model | undefined): StreamModel {
  return (request, signal) => streamAnswer(format, endpoint, request, facts, signal);
}

async function loadWire(provider: ResolvedProvider): Promise<WireFormat> {
  switch (provider.wire) {
    case "anthropic-messages":
      return (await import("./wire/anthropic/anthropic-messages.ts")).anthropicMessages;
    case "openai-responses":
      return (await import("./wire/responses/openai-responses.ts")).openaiResponses;
    case "gemini":
      return (await import("./wire/gemini/gemini.ts")).gemini;
    case "ollama":
      return (await import("./wire/ollama/ollama-chat.ts")).ollamaChat;
    case "chat-completions": {
      const { chatCompletions } = await import("./wire/chat/chat-completions.ts");
      const { chatDialects } = await import("./wire/chat/dialect.ts");
      return chatCompletions(chatDialects[provider.dialect], provider.name);
    }
  }
}
