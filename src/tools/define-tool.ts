import * as z from "zod/mini";
import { describeIssues } from "../model/describe-issues.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ArgumentCheck, Tool } from "./tool.ts";

type Derived = "inputSchema" | "validate" | "riskOf" | "summarize";

export type ToolDefinitionOf<Shape extends z.core.$ZodShape> = Omit<Tool<ArgsOf<Shape>>, Derived> & {
  /** Strict objects tell the model about misspelt arguments; plain ones drop them. */
  readonly input: z.ZodMiniObject<Shape, z.core.$ZodObjectConfig>;
  readonly summarize?: (args: ArgsOf<Shape>) => string;
  readonly riskOf?: (args: ArgsOf<Shape>) => Tool["risk"];
};

type ArgsOf<Shape extends z.core.$ZodShape> = z.output<z.ZodMiniObject<Shape, z.core.$ZodObjectConfig>>;

/** A tool whose arguments are described by a zod schema; its functions get them typed, defaults filled in. */
export function defineTool<Shape extends z.core.$ZodShape>(
  definition: ToolDefinitionOf<Shape>,
): Tool<ArgsOf<Shape>> {
  const { input, ...rest } = definition;
  const words = { entry: "argument", whole: "The arguments", known: Object.keys(input.def.shape) };
  let inputSchema: JsonObject | undefined;
  return {
    summarize: () => definition.name,
    riskOf: () => definition.risk,
    ...rest,
    // Most runs never look at most tools, so the schema is written out when it is first asked for.
    get inputSchema() {
      inputSchema ??= toJsonSchema(input);
      return inputSchema;
    },
    validate(parameters): ArgumentCheck<ArgsOf<Shape>> {
      const parsed = z.safeParse(input, parameters);
      if (parsed.success) return { ok: true, args: parsed.data };
      return { ok: false, problems: describeIssues(parsed.error.issues, parameters, words) };
    },
  };
}

function toJsonSchema(schema: z.ZodMiniObject<z.core.$ZodShape, z.core.$ZodObjectConfig>): JsonObject {
  const { $schema: _, ...written } = z.toJSONSchema(schema, { io: "input" });
  const plain: unknown = JSON.parse(JSON.stringify(written));
  if (!isJsonObject(plain)) throw new Error("A JSON Schema is an object.");
  return plain;
}
