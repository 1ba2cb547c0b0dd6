import type { JsonObject } from "./json.ts";
import type { Message } from "./message.ts";
import type { ThinkingLevel } from "./thinking-level.ts";

export type ToolDefinition = {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments object. */
  readonly inputSchema: JsonObject;
};

export type ToolChoice = "auto" | "none" | "required" | { readonly name: string };

export type ModelRequest = {
  /** The model's id as its provider knows it, without the provider's name. */
  readonly model: string;
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  readonly thinking?: ThinkingLevel;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stop?: readonly string[];
  /** Same for all requests of one conversation, so that providers route them to the same prompt cache. */
  readonly cacheKey?: string;
};
