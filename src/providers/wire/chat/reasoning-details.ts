import type { JsonObject } from "../../../model/json.ts";
import { object, text } from "../../http/read-json.ts";

/**
 * OpenRouter streams its record of the thinking in pieces and wants whole entries back:
 *   {"type":"reasoning.text","text":"The user","index":0} … {"type":"reasoning.text","signature":"Eq…","index":0}
 */
export class ReasoningDetails {
  readonly #entries: Record<string, unknown>[] = [];
  readonly #pieces: string[][] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get list(): readonly JsonObject[] {
    return this.#entries.map((entry, at) => {
      const field = textField(entry);
      const pieces = this.#pieces[at] ?? [];
      return object(field && pieces.length > 0 ? { ...entry, [field]: pieces.join("") } : entry);
    });
  }

  add(details: readonly unknown[]): void {
    for (const value of details) {
      const detail = object(value);
      const last = this.#entries.at(-1);
      const field = textField(detail);
      if (!(last && field && last.type === detail.type && last.index === detail.index)) {
        this.#entries.push({ ...detail });
        this.#pieces.push(field && detail[field] !== undefined ? [text(detail[field])] : []);
        continue;
      }
      for (const [key, piece] of Object.entries(detail)) {
        if (key === field) this.#pieces.at(-1)?.push(text(piece));
        else if (piece !== null) last[key] = piece;
      }
    }
  }
}

function textField(detail: Readonly<Record<string, unknown>>): "text" | "summary" | undefined {
  if (detail.type === "reasoning.text") return "text";
  return detail.type === "reasoning.summary" ? "summary" : undefined;
}
