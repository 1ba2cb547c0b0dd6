import type { ToolDefinition } from "../model/model-request.ts";
import type { AgentConfiguration } from "./agent-configuration.ts";

/** The request's own system prompt, and how to use tools when there are any. */
export function buildSystemPrompt(
  systemPrompt: string | undefined,
  configuration: AgentConfiguration,
  hasTools: boolean,
): string | undefined {
  const parts = [systemPrompt ?? "", hasTools ? configuration.toolUsePrompt : ""].filter(
    (part) => part !== "",
  );
  return parts.length > 0 ? parts.join("\n\n") : undefined;
}

/** Tools in words, for models that know no others: to be added to the system prompt by whoever speaks to such a model. */
export function describeToolsAsText(
  tools: readonly ToolDefinition[],
  { toolDefinitionFormat, toolCallFormat }: AgentConfiguration,
): string {
  if (tools.length === 0) return "";
  const definitions = tools.map((tool) => fill(toolDefinitionFormat, tool));
  return ["Available tools:", ...definitions, toolCallFormat].join("\n\n");
}

/** In one pass, so that a description which says `{parameters}` stays as it is. */
function fill(format: string, { name, description, inputSchema }: ToolDefinition): string {
  const values: Readonly<Record<string, string>> = {
    "{name}": name,
    "{description}": description,
    "{parameters}": JSON.stringify(inputSchema, undefined, 2),
  };
  return format.replace(/\{(?:name|description|parameters)\}/g, (placeholder) => values[placeholder] ?? "");
}

/** Said to the model, and to nobody else, when it must answer now. */
export const lastIterationNote =
  "[This is the last turn of this request: no more tool calls are possible. Answer now with what you know. Say what " +
  "is done, what is not, and what should come next.]";
