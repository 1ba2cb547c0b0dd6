import { normalizeBaseURL } from "./base-url.ts";
import { ConfigurationError, type Environment, resolveKey } from "./credentials.ts";
import type { Endpoint } from "./http/endpoint.ts";
import { isLoopbackURL } from "./http/loopback.ts";
import { headerSecrets } from "./http/redact.ts";
import { findPreset, type ProviderPreset, providerPresets, type WireName } from "./provider-preset.ts";
import type { ProviderSettings, ProvidersSettings } from "./provider-settings.ts";
import type { ChatDialectName } from "./wire/chat/dialect.ts";

/** A provider with settings, preset and environment put together, before any key is fetched. */
export type ResolvedProvider = {
  readonly name: string;
  readonly settings: ProviderSettings;
  /** The known provider whose address and key variables apply. */
  readonly preset: ProviderPreset | undefined;
  readonly wire: WireName;
  readonly dialect: ChatDialectName;
  readonly baseURL: string;
  /** The address is not the provider's own: a gateway, a proxy, a test server. */
  readonly customURL: boolean;
};

const wireOfType: Readonly<Record<string, string>> = {
  openai: "openai",
  anthropic: "anthropic",
  google: "google",
  ollama: "ollama",
};

/** Undefined for a provider nobody has heard of. `ai-sdk` and `scripted` providers are not reached this way. */
export function resolveProvider(
  name: string,
  all: ProvidersSettings,
  env: Environment,
): ResolvedProvider | undefined {
  const settings = Object.hasOwn(all, name) ? (all[name] ?? {}) : {};
  const type = settings.type;
  const preset = findPreset(name);
  const base = type === undefined ? preset : findPreset(wireOfType[type] ?? "");
  if (!base && type !== "openai-compatible") return undefined;
  const wire = base?.wire ?? "chat-completions";
  const fromEnv = preset?.baseURLVariable && type === undefined ? env[preset.baseURLVariable] : undefined;
  const written = settings.baseURL ?? (fromEnv || undefined) ?? base?.baseURL ?? "";
  const baseURL = normalizeBaseURL(written, wire);
  if (!baseURL) {
    const where = settings.baseURL ? `providers.${name}.baseURL in settings` : preset?.baseURLVariable;
    throw new ConfigurationError(`${where} ${addressProblem(written)}`);
  }
  return {
    name,
    settings,
    // Under a name and an address of the user's own, the key of the known provider is not sent without being asked.
    preset: preset ?? (settings.baseURL === undefined ? base : undefined),
    wire,
    dialect: base?.dialect ?? "common",
    baseURL,
    customURL: base === undefined || baseURL !== normalizeBaseURL(base.baseURL, wire),
  };
}

/** An address with a password in it is not shown. */
function addressProblem(written: string): string {
  if (written.includes("@")) return 'holds a name or a password: put it into "headers" in settings';
  if (written.includes("?")) return "holds a query, which cannot be sent along: leave it out";
  return `is not an http(s) address: ${written}`;
}

/** Every provider that could be used: those in settings and those known by name. */
export function providerNames(all: ProvidersSettings): readonly string[] {
  return [...new Set([...Object.keys(all), ...Object.keys(providerPresets)])];
}

const idleTimeoutMs = 300_000;
/** A model on this machine may read a long prompt for many minutes before its first word. */
const localIdleTimeoutMs = 1_800_000;

export async function openEndpoint(provider: ResolvedProvider, env: Environment): Promise<Endpoint> {
  const { name, settings, preset, wire, customURL } = provider;
  const credential = await resolveKey(name, settings.apiKey, preset, env);
  if (!credential && preset && preset.keyVariables.length > 0 && !customURL) {
    const variable = preset.keyVariables[0];
    throw new ConfigurationError(
      `There is no key for ${preset.title}. Set ${variable}, or "apiKey" under providers.${name} in settings.`,
    );
  }
  const secrets = [...(credential ? [credential.key] : []), ...headerSecrets(settings.headers ?? {})];
  const defaultIdle = preset?.local || isLoopbackURL(provider.baseURL) ? localIdleTimeoutMs : idleTimeoutMs;
  return {
    provider: name,
    baseURL: provider.baseURL,
    headers: {
      "user-agent": "aintern",
      ...(credential && keyHeader(wire, credential.key, credential.source)),
      ...(name === "openrouter" && { "x-title": "AIntern" }),
      ...settings.headers,
    },
    secrets,
    idleTimeoutMs: settings.idleTimeout ? settings.idleTimeout * 1_000 : defaultIdle,
  };
}

function keyHeader(wire: WireName, key: string, source: string): Record<string, string> {
  if (/[^\x20-\x7e]/.test(key)) {
    throw new ConfigurationError(
      `The key from ${source} holds a line break or another character no key has.`,
    );
  }
  // A token of a subscription or a gateway is not a key: Anthropic takes it in another header.
  if (wire === "anthropic-messages" && source !== "ANTHROPIC_AUTH_TOKEN") return { "x-api-key": key };
  if (wire === "gemini") return { "x-goog-api-key": key };
  return { authorization: `Bearer ${key}` };
}
