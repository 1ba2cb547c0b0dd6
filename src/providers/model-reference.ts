import { isThinkingLevel, type ThinkingLevel } from "../model/thinking-level.ts";

export type ModelReference = {
  readonly provider: string;
  readonly model: string;
  readonly thinking?: ThinkingLevel;
};

/**
 * `provider/model[:thinking]`. The model's own name may hold slashes and colons (`openrouter/qwen/qwen3:free`,
 * `ollama/qwen3:8b`): the provider ends at the first slash, and only a thinking level is taken from the end.
 */
export function parseModelReference(text: string): ModelReference | undefined {
  const slash = text.indexOf("/");
  if (slash <= 0 || slash === text.length - 1) return undefined;
  const provider = text.slice(0, slash);
  const model = text.slice(slash + 1);
  const colon = model.lastIndexOf(":");
  const level = model.slice(colon + 1);
  if (colon > 0 && isThinkingLevel(level)) return { provider, model: model.slice(0, colon), thinking: level };
  return { provider, model };
}
