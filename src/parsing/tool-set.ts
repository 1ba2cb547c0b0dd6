import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ToolDefinition } from "../model/model-request.ts";

/** The tools a model was offered, where they are known. */
export class ToolSet {
  readonly #tools: ReadonlyMap<string, ToolDefinition>;
  /** Whether tools were given at all: without them no name can be checked. */
  readonly known: boolean;

  constructor(tools: readonly ToolDefinition[] | undefined) {
    this.known = tools !== undefined;
    this.#tools = new Map((tools ?? []).map((tool) => [tool.name, tool]));
  }

  /** A tool that stands for a namespace declares the names that begin with its own and `__`. */
  declares(name: string): boolean {
    if (this.#tools.has(name)) return true;
    for (let at = name.indexOf("__"); at >= 0; at = name.indexOf("__", at + 2)) {
      if (this.#tools.has(name.slice(0, at))) return true;
    }
    return false;
  }

  names(): readonly string[] {
    return [...this.#tools.keys()];
  }

  schemaOf(name: string): JsonObject | undefined {
    return this.#tools.get(name)?.inputSchema;
  }

  /** The schemas of a tool's parameters; undefined where the tool or its properties are not declared. */
  propertiesOf(name: string): JsonObject | undefined {
    const properties = this.schemaOf(name)?.properties;
    return isJsonObject(properties) ? properties : undefined;
  }

  /** The only tool that these arguments fit, for calls whose name was lost. */
  fitting(args: JsonObject): string | undefined {
    const keys = Object.keys(args);
    const fits = this.names().filter((name) => {
      const properties = this.propertiesOf(name);
      return (
        properties !== undefined && keys.length > 0 && keys.every((key) => Object.hasOwn(properties, key))
      );
    });
    return fits.length === 1 ? fits[0] : undefined;
  }
}
