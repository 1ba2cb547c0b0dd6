import { join } from "node:path";
import { catalogue } from "../model/catalogue.ts";
import { ConfigurationError, keySource } from "../providers/credentials.ts";
import type { OpenModelOptions } from "../providers/open-model.ts";
import { providerPresets } from "../providers/provider-preset.ts";
import type { Settings } from "../settings/settings.ts";

export type ChosenModel = {
  readonly reference: string;
  /** Set when the user did not choose: why this one, to be said. */
  readonly because?: string;
};

/** The model to use: as asked, as set, or the first that can be reached. */
export async function chooseModel(
  asked: string | undefined,
  settings: Settings,
  options: OpenModelOptions,
): Promise<ChosenModel> {
  if (asked === "")
    throw new ConfigurationError("--model needs a model: provider/model, such as ollama/qwen3:8b.");
  const reference = asked ?? options.env.AINTERN_MODEL ?? settings.model;
  if (reference) return { reference };
  for (const [name, preset] of Object.entries(providerPresets)) {
    const key = keySource(options.providers[name]?.apiKey, preset, options.env);
    const model = catalogue[name]?.defaultModel;
    if (key && model) return { reference: `${name}/${model}`, because: `key from ${key}` };
  }
  const { discoverProviders } = await import("../providers/discovery/discover-providers.ts");
  const found = (await discoverProviders(options)).find(({ name, available, defaultModel }) => {
    return available && defaultModel && providerPresets[name]?.local;
  });
  if (found) return { reference: `${found.name}/${found.defaultModel}`, because: found.reason };
  throw new ConfigurationError(noModel(join(options.configFolder, "settings.json")));
}

const noModel = (settings: string) => `No model is configured. Three ways out:
  1. Set a key:          export ANTHROPIC_API_KEY=…   (or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY, …)
  2. Start a server:     ollama serve                 (or LM Studio, llama-server, vLLM: they are found by themselves)
  3. Name an endpoint:   "providers" in ${settings}, used with --model provider/model
See what can be used and why the rest cannot: aintern models`;
