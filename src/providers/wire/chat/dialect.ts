/** Where a server that speaks chat completions differs from the rest. */
export type ChatDialect = {
  /** False where an unknown field is refused; such servers report usage unasked. */
  readonly asksForUsage: boolean;
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  readonly seedField: "seed" | "random_seed";
  /** The word that forces a call. */
  readonly requiredChoice: "required" | "any";
  /** How a thinking level is written. */
  readonly thinking: "reasoning_effort" | "reasoning_object" | "thinking_type";
  /** Whether a model in a tool loop gets its own thinking back; it then reasons on instead of starting anew. */
  readonly replaysThinking: boolean;
  /** Ids of calls must be nine letters or digits. */
  readonly shortCallIds: boolean;
  /** "Unexpected role 'user' after role 'tool'": the model has to say something in between. */
  readonly speaksAfterResults: boolean;
};

const common: ChatDialect = {
  asksForUsage: true,
  maxTokensField: "max_tokens",
  seedField: "seed",
  requiredChoice: "required",
  thinking: "reasoning_effort",
  replaysThinking: true,
  shortCallIds: false,
  speaksAfterResults: false,
};

export const chatDialects = {
  common,
  openrouter: { ...common, thinking: "reasoning_object" },
  deepseek: { ...common, thinking: "thinking_type" },
  xai: { ...common, replaysThinking: false },
  groq: {
    ...common,
    maxTokensField: "max_completion_tokens",
    replaysThinking: false,
  },
  openai: { ...common, maxTokensField: "max_completion_tokens", replaysThinking: false },
  mistral: {
    ...common,
    asksForUsage: false,
    seedField: "random_seed",
    requiredChoice: "any",
    replaysThinking: false,
    shortCallIds: true,
    speaksAfterResults: true,
  },
} as const satisfies Record<string, ChatDialect>;

export type ChatDialectName = keyof typeof chatDialects;
