import { pathToFileURL } from "node:url";
import type { StreamModel } from "../../model/stream-model.ts";
import { ConfigurationError, resolveKey } from "../credentials.ts";
import type { Endpoint } from "../http/endpoint.ts";
import { headerSecrets } from "../http/redact.ts";
import type { OpenModelOptions } from "../open-model.ts";
import type { ProviderSettings } from "../provider-settings.ts";
import { isLanguageModel, type LanguageModel, streamLanguageModel } from "./language-model.ts";

/** Opens a model of any AI SDK provider package that the user has installed into the configuration folder. */
export async function openPackageModel(
  name: string,
  id: string,
  settings: ProviderSettings,
  options: Pick<OpenModelOptions, "env" | "configFolder">,
): Promise<StreamModel> {
  const packageName = settings.package ?? "";
  const credential = await resolveKey(name, settings.apiKey, undefined, options.env);
  const module = await importPackage(name, packageName, options.configFolder);
  const create = Object.entries(module).find(
    ([key, value]) => /^create[A-Z]/.test(key) && typeof value === "function",
  );
  if (typeof create?.[1] !== "function") {
    throw new ConfigurationError(
      `${packageName} is not an AI SDK provider package: it exports no create… function.`,
    );
  }
  const provider: unknown = create[1]({
    name,
    ...(credential && { apiKey: credential.key }),
    ...(settings.baseURL && { baseURL: settings.baseURL }),
    ...(settings.headers && { headers: settings.headers }),
    ...settings.options,
  });
  const endpoint: Endpoint = {
    provider: name,
    baseURL: settings.baseURL ?? packageName,
    headers: {},
    secrets: [
      ...(credential ? [credential.key] : []),
      ...headerSecrets(settings.headers ?? {}),
      ...secretOptions(settings.options),
      ...passwordIn(settings.baseURL),
    ],
    idleTimeoutMs: (settings.idleTimeout ?? 300) * 1_000,
  };
  return streamLanguageModel(languageModel(provider, id, packageName), endpoint, packageName);
}

function languageModel(provider: unknown, id: string, packageName: string): LanguageModel {
  const made: unknown =
    typeof provider === "function"
      ? provider(id)
      : isObject(provider) && typeof provider.languageModel === "function"
        ? provider.languageModel(id)
        : undefined;
  if (isLanguageModel(made)) return made;
  throw new ConfigurationError(`${packageName} gave no language model for "${id}".`);
}

/** Options go to the package unread; what is called a key or a token there is one: `secretAccessKey`, `authToken`. */
function secretOptions(options: unknown): readonly string[] {
  if (!isObject(options)) return [];
  return Object.entries(options).flatMap(([name, value]) => {
    if (typeof value !== "string") return secretOptions(value);
    return /key|token|secret|password|authorization/i.test(name) ? headerSecrets({ [name]: value }) : [];
  });
}

/** `fetch` refuses an address with a password in it, and shows both. */
function passwordIn(baseURL: string | undefined): readonly string[] {
  const written = /\/\/([^@/]*)@/.exec(baseURL ?? "")?.[1];
  const url = URL.parse(baseURL ?? "");
  return [written, ...(written?.split(":") ?? []), url?.username, url?.password].filter(
    (text) => text !== undefined,
  );
}

/**
 * Looked for in the configuration folder only: never in the workspace, nor in a folder above either. What stands there
 * may be a link that the user's package manager made to its store.
 */
async function importPackage(name: string, packageName: string, configFolder: string): Promise<object> {
  const { createRequire } = process.getBuiltinModule("node:module");
  const { join, sep } = process.getBuiltinModule("node:path");
  const { realpathSync } = process.getBuiltinModule("node:fs");
  const missing = new ConfigurationError(
    `The provider "${name}" needs ${packageName}. Install it with: npm install --prefix ${configFolder} ${packageName}`,
  );
  if (!/^(@[\w-][\w.-]*\/)?[\w-][\w.-]*$/.test(packageName)) throw missing;
  let file: string;
  try {
    const home = realpathSync(join(configFolder, "node_modules", packageName));
    file = createRequire(join(configFolder, "settings.json")).resolve(packageName);
    if (!file.startsWith(home + sep)) throw missing;
  } catch {
    throw missing; // no such folder or package
  }
  return await import(pathToFileURL(file).href);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
