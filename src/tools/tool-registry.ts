import type { Tool } from "./tool.ts";

/** A tool that cannot be registered: its name is taken, or no provider would accept it. */
export class ToolRegistrationError extends Error {
  override readonly name = "ToolRegistrationError";
}

/** The tools of one session: the built-in ones, fixed from the start, and foreign ones that come and go. */
export class ToolRegistry {
  readonly #tools = new Map<string, Tool>();
  /** By what a reader could mistake for one another, so that `Read-File` cannot pose as `read_file`. */
  readonly #taken = new Map<string, string>();

  constructor(builtIn: Iterable<Tool> = []) {
    for (const tool of builtIn) this.#insert(tool);
  }

  /** Adds a tool from outside (MCP, an extension). Disposing removes it again. */
  add(tool: Tool): Disposable {
    this.#insert(tool);
    return { [Symbol.dispose]: () => this.#remove(tool) };
  }

  get(id: string): Tool | undefined {
    return this.#tools.get(id);
  }

  list(): readonly Tool[] {
    return [...this.#tools.values()];
  }

  #insert(tool: Tool): void {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.id)) {
      throw new ToolRegistrationError(
        `Tool id ${JSON.stringify(tool.id)} cannot be used: ids have 1 to 64 letters, digits, "_" or "-".`,
      );
    }
    for (const name of [tool.id, tool.name]) {
      const owner = this.#taken.get(fold(name));
      if (owner !== undefined) {
        throw new ToolRegistrationError(
          `Tool ${JSON.stringify(tool.id)} cannot be added: ${JSON.stringify(name)} is the name of ${owner}.`,
        );
      }
    }
    this.#tools.set(tool.id, tool);
    for (const name of [tool.id, tool.name]) this.#taken.set(fold(name), tool.id);
  }

  #remove(tool: Tool): void {
    if (this.#tools.get(tool.id) !== tool) return;
    this.#tools.delete(tool.id);
    for (const name of [tool.id, tool.name]) this.#taken.delete(fold(name));
  }
}

/** The same for names that differ only in case, width, separators or invisible characters. */
export function fold(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_\-.\p{Cf}]/gu, "");
}
