/** What a tool works on. Rules and a request's switches can name a whole category. */
export const toolCategories = [
  "file_system",
  "search",
  "terminal",
  "network",
  "planning",
  /** Anything from outside: MCP servers, extensions. */
  "custom",
] as const;

export type ToolCategory = (typeof toolCategories)[number];
