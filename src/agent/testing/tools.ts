import * as z from "zod/mini";
import { defineTool } from "../../tools/define-tool.ts";
import type { Tool, ToolContext } from "../../tools/tool.ts";
import { succeeded, type ToolResult } from "../../tools/tool-result.ts";

type Overrides = Partial<Pick<Tool, "id" | "name" | "category" | "risk" | "readOnly">> & {
  readonly run?: (args: ToolArgs, context: ToolContext) => ToolResult | Promise<ToolResult>;
  readonly touches?: (args: ToolArgs) => readonly string[];
  readonly riskOf?: (args: ToolArgs) => Tool["risk"];
};

type ToolArgs = { readonly path: string; readonly text?: string };

/** A tool with a path and a text that does what a test wants. */
export function aTool(overrides: Overrides = {}): Tool {
  const { run = ({ path }: ToolArgs) => succeeded(`content of ${path}`), ...rest } = overrides;
  return defineTool({
    id: "read_file",
    name: rest.id ?? "Read file",
    description: "Reads a file.",
    category: "file_system",
    risk: "safe",
    readOnly: true,
    input: z.strictObject({ path: z.string(), text: z.exactOptional(z.string()) }),
    summarize: (args) => `${rest.name ?? rest.id ?? "Read file"} ${args.path}`,
    execute: async (args, context) => run(args, context),
    ...rest,
  });
}
