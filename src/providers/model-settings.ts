import type { Model } from "../model/catalogue.ts";
import type { ProviderSettings } from "./provider-settings.ts";

/** What settings say of a model, laid over what the catalogue knows. */
export function settingsModel(
  known: Model | undefined,
  id: string,
  settings: ProviderSettings | undefined,
): Model | undefined {
  const models = settings?.models;
  const written = models && Object.hasOwn(models, id) ? models[id] : undefined;
  if (!written) return known;
  const { toolCalling: _, ...facts } = written;
  return { name: id, images: false, ...known, ...facts, id };
}
