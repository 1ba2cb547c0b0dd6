import { describe, expect, it } from "vitest";
import { ConfigurationError, type Environment } from "./credentials.ts";
import { providerPresets } from "./provider-preset.ts";
import type { ProvidersSettings } from "./provider-settings.ts";
import { openEndpoint, providerNames, resolveProvider } from "./resolve-provider.ts";

async function endpointOf(name: string, settings: ProvidersSettings = {}, env: Environment = {}) {
  const provider = resolveProvider(name, settings, env) ?? expect.fail(`no provider ${name}`);
  return openEndpoint(provider, env);
}

const thrownBy = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return expect.fail("nothing was thrown");
};

describe("a provider", () => {
  it.each(Object.keys(providerPresets))("%s is known by name and at its own address", (name) => {
    expect(resolveProvider(name, {}, {})).toMatchObject({ name, customURL: false });
  });

  it.each(["nobody", "", "constructor", "__proto__", "toString"])("%j is not known", (name) => {
    expect(resolveProvider(name, {}, {})).toBeUndefined();
  });

  it("in settings needs a type when its name is new", () => {
    expect(resolveProvider("mine", { mine: { baseURL: "http://127.0.0.1:1" } }, {})).toBeUndefined();
  });

  it("of the type openai-compatible speaks chat completions at its address", () => {
    const mine = { type: "openai-compatible", baseURL: "http://127.0.0.1:9/" } as const;
    expect(resolveProvider("mine", { mine }, {})).toMatchObject({
      wire: "chat-completions",
      dialect: "common",
      baseURL: "http://127.0.0.1:9/v1",
      customURL: true,
      preset: undefined,
    });
  });

  it.each([
    ["openai", "openai-responses"],
    ["anthropic", "anthropic-messages"],
    ["google", "gemini"],
    ["ollama", "ollama"],
  ] as const)("of the type %s speaks %s under any name", (type, wire) => {
    const mine = { type, baseURL: "https://gateway.example" };
    expect(resolveProvider("mine", { mine }, {})).toMatchObject({ name: "mine", wire, customURL: true });
  });

  it("keeps its dialect behind a gateway", () => {
    const resolved = resolveProvider("mistral", { mistral: { baseURL: "https://gateway.example" } }, {});
    expect(resolved).toMatchObject({ wire: "chat-completions", dialect: "mistral", customURL: true });
  });

  it("takes its address from settings, then from the environment, then its own", () => {
    const env = { ANTHROPIC_BASE_URL: "https://env.example/v1" };
    const settings = { anthropic: { baseURL: "https://settings.example" } };
    expect(resolveProvider("anthropic", settings, env)?.baseURL).toBe("https://settings.example");
    expect(resolveProvider("anthropic", {}, env)).toMatchObject({
      baseURL: "https://env.example",
      customURL: true,
    });
    expect(resolveProvider("anthropic", {}, { ANTHROPIC_BASE_URL: "" })?.customURL).toBe(false);
  });

  it("does not take the environment's address for a namesake of another type", () => {
    const settings = { openai: { type: "openai-compatible", baseURL: "https://mine.example" } } as const;
    const env = { OPENAI_BASE_URL: "https://env.example" };
    expect(resolveProvider("openai", settings, env)?.baseURL).toBe("https://mine.example/v1");
  });

  it("names what holds an address that is none", () => {
    const fromEnv = thrownBy(() => resolveProvider("ollama", {}, { OLLAMA_HOST: "ftp://box" }));
    expect(fromEnv).toBeInstanceOf(ConfigurationError);
    expect(String(fromEnv)).toContain("OLLAMA_HOST is not an http(s) address: ftp://box");
    const settings = { groq: { baseURL: "nonsense://x" } };
    const fromSettings = thrownBy(() => resolveProvider("groq", settings, {}));
    expect(String(fromSettings)).toContain("providers.groq.baseURL in settings is not an http(s) address");
  });

  it.each(["https://name:hunter2@host", "ftp://name:hunter2@host", "name:hunter2@host"])(
    "is refused at %s, and the password is not shown",
    (address) => {
      const error = thrownBy(() => resolveProvider("openai", {}, { OPENAI_BASE_URL: address }));
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).toContain('OPENAI_BASE_URL holds a name or a password: put it into "headers"');
      expect(String(error)).not.toContain("hunter2");
    },
  );

  it("is listed once: those of settings first", () => {
    const names = providerNames({ mine: { type: "openai-compatible", baseURL: "http://x" }, ollama: {} });
    expect(names.slice(0, 2)).toEqual(["mine", "ollama"]);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toEqual(expect.arrayContaining(Object.keys(providerPresets)));
  });
});

describe("the endpoint", () => {
  it.each([
    ["anthropic", { ANTHROPIC_API_KEY: "k-123456" }, { "x-api-key": "k-123456" }],
    ["anthropic", { ANTHROPIC_AUTH_TOKEN: "k-123456" }, { authorization: "Bearer k-123456" }],
    ["google", { GEMINI_API_KEY: "k-123456" }, { "x-goog-api-key": "k-123456" }],
    ["openai", { OPENAI_API_KEY: "k-123456" }, { authorization: "Bearer k-123456" }],
    ["deepseek", { DEEPSEEK_API_KEY: "k-123456" }, { authorization: "Bearer k-123456" }],
  ])("of %s with %j carries the key as %j", async (name, env, expected) => {
    const { headers, secrets } = await endpointOf(name, {}, env);
    expect(headers).toEqual({ "user-agent": "aintern", ...expected });
    expect(secrets).toEqual(["k-123456"]);
  });

  it("takes a token that settings fetch from ANTHROPIC_AUTH_TOKEN as a bearer, too", async () => {
    const settings = { anthropic: { apiKey: "env:ANTHROPIC_AUTH_TOKEN" } };
    const { headers } = await endpointOf("anthropic", settings, { ANTHROPIC_AUTH_TOKEN: "token-1" });
    expect(headers).toMatchObject({ authorization: "Bearer token-1" });
    expect(headers).not.toHaveProperty("x-api-key");
  });

  it.each(Object.entries(providerPresets).filter(([, preset]) => preset.keyVariables.length > 0))(
    "of %s without a key names the variable to set",
    async (name, preset) => {
      await expect(endpointOf(name)).rejects.toThrow(
        `There is no key for ${preset.title}. Set ${preset.keyVariables[0]}, or "apiKey" under providers.${name} in settings.`,
      );
    },
  );

  it("needs no key at an address of the user's own, nor for a server on this machine", async () => {
    const behind = await endpointOf("openai", { openai: { baseURL: "http://127.0.0.1:4000" } });
    expect(behind.headers).toEqual({ "user-agent": "aintern" });
    expect((await endpointOf("lmstudio")).headers).toEqual({ "user-agent": "aintern" });
  });

  it("refuses a key that no header can carry, without showing it", async () => {
    const broken = endpointOf("openai", {}, { OPENAI_API_KEY: "sk-secret\nsk-other" });
    const message = await broken.then(
      () => expect.fail("nothing was thrown"),
      (error: unknown) => String(error),
    );
    expect(message).toContain("The key from OPENAI_API_KEY holds a line break");
    expect(message).not.toContain("sk-secret");
  });

  it("lets headers of settings add and override", async () => {
    const settings = {
      openai: { apiKey: "sk-one-two", headers: { authorization: "Basic abcdefg", "x-team": "a" } },
    };
    const { headers } = await endpointOf("openai", settings);
    expect(headers).toMatchObject({ authorization: "Basic abcdefg", "x-team": "a" });
  });

  it("counts header values as secrets, and a token also without the word before it", async () => {
    const settings = { openai: { apiKey: "sk-one-two", headers: { Authorization: "Bearer sk-three" } } };
    expect((await endpointOf("openai", settings)).secrets).toEqual([
      "sk-one-two",
      "Bearer sk-three",
      "sk-three",
    ]);
  });

  it("is more patient with a model on this machine", async () => {
    const idle = async (name: string, settings: ProvidersSettings = {}) =>
      (await endpointOf(name, settings, { OPENAI_API_KEY: "sk-123456" })).idleTimeoutMs;
    expect(await idle("openai")).toBe(300_000);
    expect(await idle("ollama")).toBe(1_800_000);
    expect(await idle("openai", { openai: { baseURL: "http://127.0.0.1:1" } })).toBe(1_800_000);
    expect(await idle("ollama", { ollama: { idleTimeout: 2.5 } })).toBe(2_500);
  });
});

describe("the key of a known provider", () => {
  const env = { OPENAI_API_KEY: "the-key-of-openai" };

  it("goes to an address of the user's own under the known name, which is what such a setting is for", async () => {
    const { headers } = await endpointOf("openai", { openai: { baseURL: "http://127.0.0.1:9/v1" } }, env);
    expect(headers.authorization).toBe("Bearer the-key-of-openai");
  });

  it("does not go to an address of the user's own under a new name, unless settings say so", async () => {
    const other = { type: "openai", baseURL: "http://127.0.0.1:9/v1" } as const;
    expect((await endpointOf("other", { other }, env)).headers).not.toHaveProperty("authorization");
    const asked = { ...other, apiKey: "env:OPENAI_API_KEY" };
    expect((await endpointOf("other", { other: asked }, env)).headers.authorization).toBe(
      "Bearer the-key-of-openai",
    );
  });
});

it("an address with a query is refused, since the query would be lost", () => {
  const mine = { type: "openai-compatible", baseURL: "https://host/v1?api-version=1" } as const;
  expect(String(thrownBy(() => resolveProvider("mine", { mine }, {})))).toContain("holds a query");
});
