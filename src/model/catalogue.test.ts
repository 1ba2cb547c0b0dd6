import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import file from "./catalogue.json" with { type: "json" };
import { acceptedLevels, type Catalogue, catalogue, findModel, type Model } from "./catalogue.ts";
import { thinkingLevels } from "./thinking-level.ts";

const tokens = z.int().check(z.positive());
const dollars = z.number().check(z.positive(), z.lte(200));
const tokenPrice = {
  input: dollars,
  output: dollars,
  cacheRead: z.optional(dollars),
  cacheWrite: z.optional(dollars),
};
const words = z.partialRecord(
  z.enum(["minimal", "low", "medium", "high", "max"]),
  z.string().check(z.regex(/^[a-z]+$/)),
);
const canDisable = z.boolean();
const fileSchema = z.record(
  z.string(),
  z.strictObject({
    defaultModel: z.string(),
    models: z.array(
      z.strictObject({
        id: z.string().check(z.regex(/^\S+$/)),
        name: z.string().check(z.minLength(1)),
        aliases: z.optional(z.array(z.string().check(z.regex(/^\S+$/))).check(z.minLength(1))),
        contextWindow: tokens,
        maxOutputTokens: z.optional(tokens),
        price: z.optional(
          z.strictObject({
            ...tokenPrice,
            long: z.optional(z.strictObject({ above: tokens, ...tokenPrice })),
          }),
        ),
        thinking: z.optional(
          z.union([
            z.literal(false),
            z.strictObject({ effort: words, canDisable }),
            z.strictObject({ adaptive: words, canDisable, betweenTools: z.optional(z.literal(true)) }),
            z.strictObject({ level: words, canDisable }),
            z.strictObject({ budget: z.strictObject({ min: tokens, max: tokens }), canDisable }),
          ]),
        ),
        images: z.boolean(),
        tools: z.optional(z.literal(false)),
        deprecated: z.optional(z.literal(true)),
      }),
    ),
  }),
);

const providers = Object.entries(catalogue);
const everyModel = providers.flatMap(([provider, { models }]) =>
  models.map((model) => ({ provider, model, label: `${provider}/${model.id}` })),
);

describe("the catalogue that ships", () => {
  it("has the shape of its type and nothing else", () => {
    expect(() => fileSchema.parse(file)).not.toThrow();
  });

  it("gives back what the file says", () => {
    expect(catalogue).toEqual(file);
  });

  it("knows the providers a new user is likely to have a key for", () => {
    expect(Object.keys(catalogue)).toEqual([
      "anthropic",
      "openai",
      "google",
      "xai",
      "groq",
      "mistral",
      "deepseek",
      "openrouter",
    ]);
  });

  it.each(providers)("names no model of %s twice", (_, { models }) => {
    const names = models.flatMap(({ id, aliases = [] }) => [id, ...aliases]);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(providers)(
    "starts %s with a model of its own that can work as an agent",
    (_, { defaultModel, models }) => {
      const chosen = models.find(({ id }) => id === defaultModel);
      expect(chosen).toBeDefined();
      expect(chosen?.tools).not.toBe(false);
      expect(chosen?.deprecated).not.toBe(true);
    },
  );

  it.each(everyModel)("lets the answer of $label fit into its context", ({ model }) => {
    expect(model.maxOutputTokens ?? 0).toBeLessThanOrEqual(model.contextWindow ?? 0);
  });

  it.each(everyModel.filter(({ model }) => model.price))("prices $label plausibly", ({ model }) => {
    const { price } = model;
    if (!price) return;
    const { long } = price;
    for (const each of long ? [price, long] : [price]) {
      expect(each.output).toBeGreaterThanOrEqual(each.input);
      expect(each.cacheRead ?? 0).toBeLessThan(each.input);
      expect(each.cacheWrite ?? each.input).toBeGreaterThanOrEqual(each.input);
    }
    if (!long) return;
    expect(long.above).toBeLessThan(model.contextWindow ?? 0);
    expect(long.input).toBeGreaterThan(price.input);
    expect(long.output).toBeGreaterThan(price.output);
  });

  it.each(everyModel)("asks $label to think in the way of its provider", ({ provider, model }) => {
    const { thinking } = model;
    if (!thinking) return;
    expect("adaptive" in thinking).toBe(provider === "anthropic" && !("budget" in thinking));
    expect("level" in thinking).toBe(provider === "google");
    if ("budget" in thinking) {
      expect(thinking.budget.min).toBeLessThan(thinking.budget.max);
      expect(thinking.budget.max).toBeLessThan(model.maxOutputTokens ?? 0);
    }
  });
});

function model(id: string, facts: Partial<Model> = {}): Model {
  return { id, name: id, images: false, ...facts };
}

function only(...models: readonly Model[]): Catalogue {
  return { acme: { models } };
}

describe("finding a model", () => {
  it("takes the id itself", () => {
    const small = model("rocket-small");
    expect(findModel(only(model("rocket"), small), "acme", "rocket-small")).toBe(small);
  });

  it("takes an alias", () => {
    const rocket = model("rocket-2", { aliases: ["rocket", "rocket-latest"] });
    expect(findModel(only(rocket), "acme", "rocket-latest")).toBe(rocket);
  });

  it("prefers the id of one model to the tail of another", () => {
    const preview = model("rocket-preview");
    expect(findModel(only(model("rocket"), preview), "acme", "rocket-preview")).toBe(preview);
  });

  it.each([
    "rocket-5-20250929",
    "rocket-5@20250929",
    "rocket-5-2026-04-23",
    "rocket-5-preview-09-2025",
    "rocket-5-001",
    "rocket-5-0813",
    "rocket-5-latest",
    "rocket-5-20250929-v1",
  ])("takes %s for a snapshot of its family", (id) => {
    const family = model("rocket-5");
    expect(findModel(only(model("rocket"), family), "acme", id)).toBe(family);
  });

  it("gives a snapshot to the most exact of several families, wherever it stands", () => {
    const exact = model("rocket-5-preview");
    const families = [model("rocket-5"), exact, model("rocket")];
    expect(findModel(only(...families), "acme", "rocket-5-preview-09-2025")).toBe(exact);
    expect(findModel(only(...families.toReversed()), "acme", "rocket-5-preview-09-2025")).toBe(exact);
  });

  it.each(["rocket-5-mini", "rocket-5-5", "rocket-5.1", "rocket-50", "rocket-5-fast-20250929", "rock", ""])(
    "does not take %j for rocket-5",
    (id) => {
      expect(findModel(only(model("rocket-5")), "acme", id)).toBeUndefined();
    },
  );

  it("gives a routing variant everything but the price, which is its own", () => {
    const facts = { contextWindow: 1000, price: { input: 1, output: 2 } };
    expect(findModel(only(model("maker/rocket", facts)), "acme", "maker/rocket:free")).toEqual(
      model("maker/rocket", { contextWindow: 1000 }),
    );
  });

  it.each(["acme-2", "constructor", "__proto__"])(
    "finds nothing at a provider %s it does not know",
    (provider) => {
      expect(findModel(only(model("rocket")), provider, "rocket")).toBeUndefined();
    },
  );

  it.each([
    ["anthropic", "claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["anthropic", "claude-opus-5-5-20260922", "claude-opus-5-5"],
    ["openai", "gpt-5.4-mini-2026-03-17", "gpt-5.4-mini"],
    ["openai", "gpt-5.6", "gpt-5.6-sol"],
    ["google", "gemini-3.1-flash-lite-preview", "gemini-3.1-flash-lite"],
    ["mistral", "mistral-medium-latest", "mistral-medium-3.5"],
    ["deepseek", "deepseek-v4-flash", "deepseek-flash"],
    ["openrouter", "z-ai/glm-5.3:nitro", "z-ai/glm-5.3"],
  ])("knows %s's %s as %s", (provider, id, family) => {
    expect(findModel(catalogue, provider, id)?.id).toBe(family);
  });

  it.each([
    ["openai", "gpt-5.4-pro"],
    ["anthropic", "claude-opus-4-1"],
    ["google", "gemini-3.5-flash-preview-tts"],
  ])("does not take %s's %s for a relative with another price", (provider, id) => {
    expect(findModel(catalogue, provider, id)).toBeUndefined();
  });

  it("finds every shipped model under any date", () => {
    const dates = fc.date({ min: new Date("2024-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(
        fc.constantFrom(...everyModel),
        dates,
        fc.boolean(),
        ({ provider, model }, date, dashed) => {
          const day = date.toISOString().slice(0, 10);
          const id = `${model.id}-${dashed ? day : day.replaceAll("-", "")}`;
          expect(findModel(catalogue, provider, id)).toBe(model);
        },
      ),
    );
  });

  it("answers any id, and only with a model whose name the id starts with", () => {
    fc.assert(
      fc.property(fc.constantFrom(...everyModel), fc.string(), ({ provider, model }, tail) => {
        const id = model.id + tail;
        const found = findModel(catalogue, provider, id);
        if (found && !found.aliases?.includes(id)) expect(id.startsWith(found.id)).toBe(true);
      }),
    );
  });
});

describe("the thinking levels a model accepts", () => {
  it("are those it has words for, in our order, and off where it can be", () => {
    const levels = { high: "high", low: "low", max: "xhigh" };
    expect(acceptedLevels({ effort: levels, canDisable: true })).toEqual(["off", "low", "high", "max"]);
    expect(acceptedLevels({ adaptive: levels, canDisable: false })).toEqual(["low", "high", "max"]);
    expect(acceptedLevels({ level: { minimal: "minimal" }, canDisable: false })).toEqual(["minimal"]);
  });

  it("are all of them with a budget", () => {
    const budget = { min: 1024, max: 32_000 };
    expect(acceptedLevels({ budget, canDisable: true })).toEqual(thinkingLevels);
    expect(acceptedLevels({ budget, canDisable: false })).toEqual(thinkingLevels.slice(1));
  });

  it("are only off for a model that cannot think, and none when nothing is known", () => {
    expect(acceptedLevels(false)).toEqual(["off"]);
    expect(acceptedLevels(undefined)).toEqual([]);
  });
});
