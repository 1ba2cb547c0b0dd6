import type { JsonObject } from "../model/json.ts";

/** Notices a model that makes the same failing call again and again. */
export class RepeatWatch {
  readonly #failures = new Map<string, number>();

  /** A note for the model, once the same call has failed more than once. A success clears the count. */
  note(toolId: string, parameters: JsonObject, ok: boolean): string | undefined {
    const key = `${toolId} ${canonical(parameters)}`;
    if (ok) {
      this.#failures.delete(key);
      return undefined;
    }
    const times = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, times);
    if (times < 2) return undefined;
    return (
      `[This exact call has now failed ${times} times. Making it again will not help: change the arguments, ` +
      "use another tool, or tell the user what stands in the way.]"
    );
  }
}

/** The same text for the same arguments, in whatever order they were written. */
function canonical(parameters: JsonObject): string {
  return JSON.stringify(parameters, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
