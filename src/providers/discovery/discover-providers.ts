import { existsSync } from "node:fs";
import { join } from "node:path";
import { catalogue } from "../../model/catalogue.ts";
import { ConfigurationError, keySource } from "../credentials.ts";
import { isLoopbackURL } from "../http/loopback.ts";
import { settingsModel } from "../model-settings.ts";
import type { OpenModelOptions } from "../open-model.ts";
import type { ProviderSettings } from "../provider-settings.ts";
import { providerNames, type ResolvedProvider, resolveProvider } from "../resolve-provider.ts";
import { probeServer } from "./probe-server.ts";
import type { ProviderStatus } from "./provider-status.ts";

/** Local servers have this long to answer, all of them together. */
export const probeTimeoutMs = 300;

/** What can be used now, and why the rest cannot. Keys are looked for, not tried; local servers are asked at once. */
export function discoverProviders(
  options: OpenModelOptions,
  signal = AbortSignal.timeout(probeTimeoutMs),
): Promise<readonly ProviderStatus[]> {
  return Promise.all(providerNames(options.providers).map((name) => statusOf(name, options, signal)));
}

async function statusOf(
  name: string,
  options: OpenModelOptions,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  const settings = options.providers[name];
  if (settings?.type === "ai-sdk" || settings?.type === "scripted")
    return statusOfLoaded(name, settings, options);
  let provider: ResolvedProvider | undefined;
  try {
    provider = resolveProvider(name, options.providers, options.env);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return unavailable(name, name, error.message);
  }
  if (!provider) return unavailable(name, name, 'its settings name no "type"');
  const isServer =
    provider.preset?.local || (isLoopbackURL(provider.baseURL) && provider.preset === undefined);
  return isServer ? probeServer(provider, options.env, signal) : statusOfCloud(provider, options);
}

function statusOfCloud(provider: ResolvedProvider, { env }: OpenModelOptions): ProviderStatus {
  const { name, preset, settings, baseURL, customURL } = provider;
  const title = preset?.title ?? name;
  const source = keySource(settings.apiKey, preset, env);
  if (!source && settings.apiKey) return unavailable(name, title, `${settings.apiKey.slice(4)} is not set`);
  if (!source && preset && !customURL)
    return unavailable(name, title, `no key: set ${preset.keyVariables[0]}`);
  const known = catalogue[name];
  const added = Object.keys(settings.models ?? {}).filter(
    (id) => !known?.models.some((model) => model.id === id),
  );
  const models = [
    ...added.flatMap((id) => settingsModel(undefined, id, settings) ?? []),
    ...(known?.models ?? []).map((model) => settingsModel(model, model.id, settings) ?? model),
  ];
  const defaultModel = known?.defaultModel ?? models[0]?.id;
  const reason = [source && `key from ${source}`, customURL && `at ${baseURL}`].filter(Boolean).join(", ");
  return { name, title, available: true, reason, models, ...(defaultModel && { defaultModel }) };
}

function statusOfLoaded(
  name: string,
  settings: ProviderSettings,
  { configFolder }: OpenModelOptions,
): ProviderStatus {
  if (settings.type === "ai-sdk") {
    const folder = join(configFolder, "node_modules", settings.package ?? "");
    if (!existsSync(join(folder, "package.json"))) {
      return unavailable(
        name,
        name,
        `not installed: npm install --prefix ${configFolder} ${settings.package}`,
      );
    }
  }
  const models = Object.keys(settings.models ?? {}).flatMap(
    (id) => settingsModel(undefined, id, settings) ?? [],
  );
  const reason =
    settings.type === "scripted" ? "plays a script; never chosen by itself" : `package ${settings.package}`;
  return { name, title: name, available: true, reason, models };
}

function unavailable(name: string, title: string, reason: string): ProviderStatus {
  return { name, title, available: false, reason, models: [] };
}
