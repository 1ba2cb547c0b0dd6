import type { ChatDialectName } from "./wire/chat/dialect.ts";

export type WireName = "anthropic-messages" | "openai-responses" | "chat-completions" | "gemini" | "ollama";

/** A provider known by name: what it speaks, where it is, and which variables hold its key. */
export type ProviderPreset = {
  readonly title: string;
  readonly wire: WireName;
  readonly dialect?: ChatDialectName;
  readonly baseURL: string;
  readonly baseURLVariable?: string;
  /** The first one that is set is used. Empty: no key is needed. */
  readonly keyVariables: readonly string[];
  /** A server on this machine, asked whether it runs. */
  readonly local?: boolean;
};

/** Cloud providers first, in the order in which one is chosen for a user who has keys and has chosen nothing. */
export const providerPresets: Readonly<Record<string, ProviderPreset>> = {
  anthropic: {
    title: "Anthropic",
    wire: "anthropic-messages",
    baseURL: "https://api.anthropic.com",
    baseURLVariable: "ANTHROPIC_BASE_URL",
    keyVariables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  },
  openai: {
    title: "OpenAI",
    wire: "openai-responses",
    baseURL: "https://api.openai.com/v1",
    baseURLVariable: "OPENAI_BASE_URL",
    keyVariables: ["OPENAI_API_KEY"],
  },
  google: {
    title: "Google Gemini",
    wire: "gemini",
    baseURL: "https://generativelanguage.googleapis.com/v1beta",
    baseURLVariable: "GOOGLE_GEMINI_BASE_URL",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  },
  openrouter: {
    title: "OpenRouter",
    wire: "chat-completions",
    dialect: "openrouter",
    baseURL: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
  },
  xai: {
    title: "xAI",
    wire: "chat-completions",
    dialect: "xai",
    baseURL: "https://api.x.ai/v1",
    keyVariables: ["XAI_API_KEY"],
  },
  deepseek: {
    title: "DeepSeek",
    wire: "chat-completions",
    dialect: "deepseek",
    baseURL: "https://api.deepseek.com/v1",
    keyVariables: ["DEEPSEEK_API_KEY"],
  },
  mistral: {
    title: "Mistral",
    wire: "chat-completions",
    dialect: "mistral",
    baseURL: "https://api.mistral.ai/v1",
    keyVariables: ["MISTRAL_API_KEY"],
  },
  groq: {
    title: "Groq",
    wire: "chat-completions",
    dialect: "groq",
    baseURL: "https://api.groq.com/openai/v1",
    keyVariables: ["GROQ_API_KEY"],
  },
  ollama: {
    title: "Ollama",
    wire: "ollama",
    baseURL: "http://127.0.0.1:11434",
    baseURLVariable: "OLLAMA_HOST",
    keyVariables: [],
    local: true,
  },
  lmstudio: {
    title: "LM Studio",
    wire: "chat-completions",
    baseURL: "http://127.0.0.1:1234/v1",
    keyVariables: [],
    local: true,
  },
  "llama-server": {
    title: "llama.cpp server",
    wire: "chat-completions",
    baseURL: "http://127.0.0.1:8080/v1",
    keyVariables: [],
    local: true,
  },
  vllm: {
    title: "vLLM",
    wire: "chat-completions",
    baseURL: "http://127.0.0.1:8000/v1",
    keyVariables: [],
    local: true,
  },
};

export function findPreset(name: string): ProviderPreset | undefined {
  return Object.hasOwn(providerPresets, name) ? providerPresets[name] : undefined;
}
