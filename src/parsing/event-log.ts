import type { ParserEvent } from "./parser-event.ts";

export const noEvents: readonly ParserEvent[] = Object.freeze([]);

/** Gathers what is found: neighbouring text becomes one delta, and what is doubtful is held apart. */
export class EventLog {
  #events: ParserEvent[] = [];
  #held: ParserEvent[] | undefined;
  #plain = "";
  #plainType: "text" | "thinking" = "text";

  plain(type: "text" | "thinking", text: string): void {
    if (type !== this.#plainType) this.#flush();
    this.#plainType = type;
    this.#plain += text;
  }

  report(event: ParserEvent): void {
    this.#flush();
    (this.#held ?? this.#events).push(event);
  }

  /** From here on, what is found is doubtful. */
  hold(): void {
    this.#flush();
    this.#held = [];
  }

  believe(): void {
    this.#flush();
    for (const event of this.#held ?? []) this.#events.push(event);
    this.#held = undefined;
  }

  forget(): void {
    this.#plain = "";
    this.#held = undefined;
  }

  /** Everything certain since the last time. */
  drain(): readonly ParserEvent[] {
    this.#flush();
    if (this.#events.length === 0) return noEvents;
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #flush(): void {
    if (this.#plain === "") return;
    (this.#held ?? this.#events).push({ type: this.#plainType, text: this.#plain });
    this.#plain = "";
  }
}
