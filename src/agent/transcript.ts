import type { AssistantMessage, Message, TextPart, ToolCall, ToolResultMessage } from "../model/message.ts";
import { textOf } from "../model/message.ts";

/** What a call is answered with when nothing else is known of it. */
const interruptedText = "Not finished: the request ended before this call had a result.";

/**
 * The conversation of one run, always in the order providers demand: every call of an assistant message is answered
 * once, right after it, in the order of the calls.
 */
export class Transcript {
  readonly #history: readonly Message[];
  readonly #added: Message[] = [];
  readonly #callIds = new Set<string>();
  #open: ToolCall[] = [];

  constructor(history: readonly Message[]) {
    this.#history = pairCalls(history);
    for (const message of this.#history) {
      for (const call of callsOf(message)) this.#callIds.add(call.id);
    }
  }

  /** The whole conversation, for one request to the model. */
  snapshot(): readonly Message[] {
    return [...this.#history, ...this.#added];
  }

  /** What this run added. Grows while it lasts. */
  get added(): readonly Message[] {
    return this.#added;
  }

  /** Of the last answer. Answers that follow each other without a result between them are one, continued after a pause. */
  finalText(): string {
    const last = this.#added.findLastIndex(isAnswer);
    const before = this.#added.slice(0, last + 1).findLastIndex((message) => !isAnswer(message));
    return this.#added
      .slice(before + 1, last + 1)
      .map(textOf)
      .join("");
  }

  /**
   * An id no other call of the conversation has. Some models count from zero in every answer; an approval for one call
   * must never fit another.
   */
  claimCallId(wanted: string, isTaken: (id: string) => boolean = () => false): string {
    const base = wanted === "" ? "call" : wanted;
    let id = base;
    for (let copy = 2; this.#callIds.has(id) || isTaken(id); copy += 1) id = `${base}_${copy}`;
    this.#callIds.add(id);
    return id;
  }

  add(message: Exclude<Message, ToolResultMessage>): void {
    if (this.#open.length > 0) throw new Error("A message came before the results of the calls before it.");
    this.#added.push(message);
    this.#open = [...callsOf(message)];
  }

  addResult(callId: string, content: ToolResultMessage["content"], isError: boolean): void {
    const call = this.#open.shift();
    if (call?.id !== callId) throw new Error(`A result came for ${callId}, not for ${call?.id}.`);
    this.#added.push({ role: "tool", callId, toolName: call.name, content, isError });
  }

  /** Answers whatever is left open, so that the conversation can go on from here. */
  close(): void {
    for (const call of this.#open) this.#added.push(interrupted(call));
    this.#open = [];
  }
}

/**
 * A history that a crash or an edit left uneven, made even: calls without a result get one that says so, results
 * without a call are dropped, and results stand right behind their calls.
 */
export function pairCalls(messages: readonly Message[]): readonly Message[] {
  if (isPaired(messages)) return messages;
  return messages.flatMap((message, index): Message[] => {
    if (message.role === "tool") return [];
    const calls = callsOf(message);
    if (calls.length === 0) return [message];
    const results = resultsAfter(messages, index);
    return [message, ...calls.map((call) => results.get(call.id) ?? interrupted(call))];
  });
}

/** Up to the next answer: ids may come again later. */
function resultsAfter(messages: readonly Message[], index: number): ReadonlyMap<string, ToolResultMessage> {
  const results = new Map<string, ToolResultMessage>();
  for (const message of messages.slice(index + 1)) {
    if (message.role === "assistant") break;
    if (message.role === "tool" && !results.has(message.callId)) results.set(message.callId, message);
  }
  return results;
}

function isPaired(messages: readonly Message[]): boolean {
  let open: readonly ToolCall[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      if (open[0]?.id !== message.callId) return false;
      open = open.slice(1);
      continue;
    }
    if (open.length > 0) return false;
    open = callsOf(message);
  }
  return open.length === 0;
}

/**
 * What can be kept of an answer that broke off: its words. Unfinished thinking and calls that never ran say nothing, and
 * providers refuse blocks of white space.
 */
export function partialAnswer(message: AssistantMessage): AssistantMessage | undefined {
  const content = message.content.filter(
    (part): part is TextPart => part.type === "text" && part.text.trim() !== "",
  );
  return content.length > 0 ? { role: "assistant", content } : undefined;
}

function isAnswer(message: Message): boolean {
  return message.role === "assistant";
}

function callsOf(message: Message): readonly ToolCall[] {
  if (message.role !== "assistant") return [];
  return message.content.flatMap((part) => (part.type === "tool_call" ? [part.call] : []));
}

function interrupted(call: ToolCall): ToolResultMessage {
  return {
    role: "tool",
    callId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: interruptedText }],
    isError: true,
  };
}
