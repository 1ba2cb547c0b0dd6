import catalogueJson from "./catalogue.json" with { type: "json" };
import { type ThinkingLevel, thinkingLevels } from "./thinking-level.ts";

/** US dollars per million tokens of each of the four counts of `Usage`. */
export type TokenPrice = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number;
  /** For the provider's default lifetime of a cache entry. */
  readonly cacheWrite?: number;
};

/**
 * `long` is the price of the whole request, not of the rest, once its prompt (cached tokens included) is longer than
 * `above` tokens; what it leaves out keeps the ordinary price. Passing discounts are not in it.
 */
export type ModelPrice = TokenPrice & { readonly long?: TokenPrice & { readonly above: number } };

/** The provider's words for those of our levels that the model knows. */
export type LevelWords = Readonly<Partial<Record<Exclude<ThinkingLevel, "off">, string>>>;

/**
 * How thinking is asked for, named by the one key beside `canDisable`. Where that is false the model always thinks:
 * `off` can only become its lowest level.
 *
 * - `effort`: one word, as in OpenAI's `reasoning.effort` and `reasoning_effort`. Off is the word `none`; DeepSeek has
 *   `thinking.type: "disabled"` for it. With no words at all the model thinks as it likes and takes no wish.
 * - `adaptive`: Anthropic's `thinking.type: "adaptive"` with the word in `output_config.effort`. Off is the type
 *   `disabled`, or `between_tools` for a model with `betweenTools`, which then still thinks between tool calls.
 *   Neither type goes together with an effort above `high`.
 * - `level`: Gemini's `thinkingConfig.thinkingLevel`.
 * - `budget`: a number of tokens, Anthropic's `thinking.budget_tokens` and Gemini's `thinkingConfig.thinkingBudget`.
 *   `max` is the most that is of use; the output limit may allow less.
 */
export type Thinking =
  | { readonly effort: LevelWords; readonly canDisable: boolean }
  | { readonly adaptive: LevelWords; readonly canDisable: boolean; readonly betweenTools?: boolean }
  | { readonly level: LevelWords; readonly canDisable: boolean }
  | { readonly budget: { readonly min: number; readonly max: number }; readonly canDisable: boolean };

/** What is known of a model. What is left out is unknown, where its comment does not say otherwise. */
export type Model = {
  /** As the provider's API takes it. */
  readonly id: string;
  readonly name: string;
  /** Other ids of the same model. */
  readonly aliases?: readonly string[];
  /** Tokens of prompt and answer together. */
  readonly contextWindow?: number;
  readonly maxOutputTokens?: number;
  readonly price?: ModelPrice;
  /** `false`: it cannot think. */
  readonly thinking?: Thinking | false;
  readonly images: boolean;
  /** Left out: it takes tools. */
  readonly tools?: boolean;
  /** Left out: no end of it has been announced. */
  readonly deprecated?: boolean;
};

export type ProviderModels = {
  /** For a user who has a key and has chosen nothing. */
  readonly defaultModel?: string;
  /** Newest first. */
  readonly models: readonly Model[];
};

export type Catalogue = { readonly [provider: string]: ProviderModels };

/** The compiler holds the file to this type; it only cannot see that the one boolean in `thinking` is `false`. */
type ModelEntry = Omit<Model, "thinking"> & { readonly thinking?: Thinking | boolean };

const shipped: Readonly<
  Record<string, { readonly defaultModel: string; readonly models: readonly ModelEntry[] }>
> = catalogueJson;

/** The models that were current at release. */
export const catalogue: Catalogue = Object.fromEntries(
  Object.entries(shipped).map(([provider, { defaultModel, models }]) => [
    provider,
    { defaultModel, models: models.map(fromEntry) },
  ]),
);

function fromEntry({ thinking, ...facts }: ModelEntry): Model {
  if (thinking === undefined) return facts;
  return { ...facts, thinking: typeof thinking === "boolean" ? false : thinking };
}

/**
 * What may follow an id and still mean the same model: a date or revision (`-20250929`, `@20250929`, `-2026-04-23`,
 * `-001`, `-v1`), a channel (`-latest`, `-preview`) and a routing variant (`:free`). Anything else names another
 * model: `gpt-5.4-pro` is not `gpt-5.4`, and a `claude-opus-5-9` would not be `claude-opus-5`.
 */
const sameModelTail =
  /^(?:[-@](?:\d{4}-\d\d-\d\d|\d\d-\d{4}|\d{3,8}|v\d+|latest|preview|exp))*(?<variant>:[\w.-]+)?$/;

/** Finds a model by its id or an alias, or by the id of a snapshot or variant of it. */
export function findModel(from: Catalogue, provider: string, modelId: string): Model | undefined {
  const models = from[provider]?.models ?? [];
  const named = models.find(({ id, aliases }) => id === modelId || aliases?.includes(modelId));
  if (named) return named;
  const family = models
    .filter(({ id }) => modelId.startsWith(id) && sameModelTail.test(modelId.slice(id.length)))
    .toSorted((one, other) => other.id.length - one.id.length)[0];
  if (!family) return undefined;
  const variant = sameModelTail.exec(modelId.slice(family.id.length))?.groups?.variant;
  if (variant === undefined) return family;
  // A variant has a price of its own: `:free` costs nothing, `:nitro` takes the fastest host and not the cheapest.
  const { price: _, ...unpriced } = family;
  return unpriced;
}

/** Our levels that the model tells apart, lowest first; none when it is unknown how it thinks. */
export function acceptedLevels(thinking: Thinking | false | undefined): readonly ThinkingLevel[] {
  if (thinking === undefined) return [];
  if (thinking === false) return ["off"];
  return thinkingLevels.filter((level) => {
    if (level === "off") return thinking.canDisable;
    return "budget" in thinking || wordsOf(thinking)[level] !== undefined;
  });
}

/** How the levels are called, for a model that takes words. */
export function wordsOf(thinking: Exclude<Thinking, { readonly budget: unknown }>): LevelWords {
  if ("effort" in thinking) return thinking.effort;
  return "adaptive" in thinking ? thinking.adaptive : thinking.level;
}
