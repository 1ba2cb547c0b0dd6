import { acceptedLevels, type Model } from "../model/catalogue.ts";
import { discoverProviders } from "../providers/discovery/discover-providers.ts";
import type { ProviderStatus } from "../providers/discovery/provider-status.ts";
import type { OpenModelOptions } from "../providers/open-model.ts";
import { visibleText } from "./visible-text.ts";

/** `aintern models`: what can be used now, and why the rest cannot. */
export async function listModels(options: OpenModelOptions, json: boolean): Promise<string> {
  const providers = await discoverProviders(options);
  if (json) return `${JSON.stringify({ providers }, undefined, 2)}\n`;
  const usable = providers.filter(({ available }) => available);
  const rest = providers.filter(({ available }) => !available);
  const priced = usable.some(({ models }) => models.some(({ price }) => price));
  const parts = [
    ...usable.map(describeProvider),
    describeRest(rest, usable.length > 0),
    priced ? "Prices are US dollars for a million tokens, as they were at the release.\n" : "",
  ];
  return visibleText(parts.filter(Boolean).join("\n"));
}

function describeProvider(provider: ProviderStatus): string {
  const isDefault = ({ id }: Model) => id === provider.defaultModel;
  const rows = provider.models
    .toSorted((a, b) => Number(isDefault(b)) - Number(isDefault(a)))
    .map((model) => [
      `${provider.name}/${model.id}`,
      model.contextWindow ? `${tokens(model.contextWindow)} context` : "",
      price(model),
      thinking(model),
      isDefault(model) ? "default" : "",
    ]);
  const named = rows.length > 0 ? table(rows) : "  any model of its own: name it with --model\n";
  return `${provider.title} (${provider.reason})\n${named}`;
}

function describeRest(rest: readonly ProviderStatus[], someUsable: boolean): string {
  if (rest.length === 0) return "";
  const title = someUsable ? "Not usable now" : "Nothing can be used yet";
  return `${title}\n${table(rest.map(({ name, reason }) => [name, reason]))}`;
}

/** Columns in which nothing stands are left out. */
function table(rows: readonly (readonly string[])[]): string {
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ""));
  const filled = columns
    .filter((cells) => cells.some((cell) => cell !== ""))
    .map((cells) => {
      const width = Math.max(...cells.map((cell) => cell.length));
      return cells.map((cell) => cell.padEnd(width));
    });
  return rows
    .map(
      (_, row) =>
        `  ${filled
          .map((cells) => cells[row])
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}

function tokens(count: number): string {
  if (count >= 1_000_000) return `${Math.round(count / 100_000) / 10}M`;
  return `${Math.round(count / 1_000)}k`;
}

function price({ price }: Model): string {
  return price ? `$${price.input} in, $${price.output} out` : "";
}

function thinking({ thinking }: Model): string {
  if (thinking === false) return "no thinking";
  const levels = acceptedLevels(thinking);
  const [first, last] = [levels[0], levels.at(-1)];
  return first && last ? `thinks ${first === last ? first : `${first}–${last}`}` : "";
}
