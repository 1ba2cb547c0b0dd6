import type { Model } from "../../model/catalogue.ts";
import type { JsonObject } from "../../model/json.ts";
import { ModelError } from "../../model/model-error.ts";
import { ConfigurationError, type Environment } from "../credentials.ts";
import { askJson } from "../http/ask-json.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { count, object, optionalText, text } from "../http/read-json.ts";
import { describeOllamaModel } from "../local/ollama-model.ts";
import { settingsModel } from "../model-settings.ts";
import { openEndpoint, type ResolvedProvider } from "../resolve-provider.ts";
import type { ProviderStatus } from "./provider-status.ts";

/** Asks a server on this machine whether it runs and what it serves. */
export async function probeServer(
  provider: ResolvedProvider,
  env: Environment,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  const { name, preset, settings } = provider;
  const title = preset?.title ?? name;
  const host = URL.parse(provider.baseURL)?.host ?? provider.baseURL;
  const no = (reason: string): ProviderStatus => ({ name, title, available: false, reason, models: [] });
  try {
    const endpoint = await openEndpoint(provider, env);
    const served =
      provider.wire === "ollama"
        ? await ollamaModels(endpoint, signal)
        : await listModels(name, endpoint, signal);
    if (!served) return no(`something answers on ${host}, but it lists no models`);
    const models = served.map((model) => settingsModel(model, model.id, settings) ?? model);
    const defaultModel = models[0]?.id;
    if (!defaultModel) return no(`runs on ${host}, but has no model yet`);
    return { name, title, available: true, reason: `answers on ${host}`, models, defaultModel };
  } catch (error) {
    if (error instanceof ConfigurationError) return no(error.message);
    if (signal.aborted) return no(`no answer from ${host} in time`);
    if (!(error instanceof ModelError)) throw error;
    return no(error.code === "ECONNREFUSED" ? `nothing listens on ${host}` : error.message);
  }
}

async function ollamaModels(endpoint: Endpoint, signal: AbortSignal): Promise<readonly Model[] | undefined> {
  const tags = await askJson(endpoint, "/api/tags", signal);
  if (!Array.isArray(tags?.models)) return undefined;
  const ids = tags.models.flatMap((model) => optionalText(object(model).name) ?? []);
  return Promise.all(
    ids.map(async (id) => (await describeOllamaModel(endpoint, id, undefined, signal)) ?? plain(id)),
  );
}

async function listModels(
  name: string,
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<readonly Model[] | undefined> {
  if (name === "lmstudio") {
    const own = { ...endpoint, baseURL: endpoint.baseURL.replace(/\/v1$/, "") };
    const list = await askJson(own, "/api/v0/models", signal);
    if (Array.isArray(list?.data))
      return list.data.map(object).filter(isChatModel).toSorted(loadedFirst).map(lmStudioModel);
  }
  const list = await askJson(endpoint, "/models", signal);
  if (!Array.isArray(list?.data)) return undefined;
  const models = list.data.map(object).flatMap(listedModel);
  return name === "llama-server" ? withServerContext(models, endpoint, signal) : models;
}

function isChatModel(model: JsonObject): boolean {
  return model.type === undefined || model.type === "llm" || model.type === "vlm";
}

function lmStudioModel(model: JsonObject): Model {
  const context = count(model.loaded_context_length) || count(model.max_context_length);
  const id = text(model.id);
  return {
    ...plain(id),
    images: model.type === "vlm",
    ...(context > 0 && { contextWindow: context }),
  };
}

function loadedFirst(one: JsonObject, other: JsonObject): number {
  return Number(other.state === "loaded") - Number(one.state === "loaded");
}

/** vLLM tells `max_model_len`; llama-server the length the model was trained for, under `meta`. */
function listedModel(model: JsonObject): Model[] {
  const id = optionalText(model.id);
  if (!id) return [];
  const context = count(model.max_model_len) || count(object(model.meta).n_ctx_train);
  return [{ ...plain(id), ...(context > 0 && { contextWindow: context }) }];
}

/** llama-server runs with the context it was started with, not the one its model was trained for. */
async function withServerContext(models: readonly Model[], endpoint: Endpoint, signal: AbortSignal) {
  const own = { ...endpoint, baseURL: endpoint.baseURL.replace(/\/v1$/, "") };
  const props = await askJson(own, "/props", signal);
  const contextWindow = count(object(props?.default_generation_settings).n_ctx);
  const images = object(props?.modalities).vision === true;
  return models.map((model) => ({ ...model, images, ...(contextWindow > 0 && { contextWindow }) }));
}

function plain(id: string): Model {
  return { id, name: id, images: false };
}
