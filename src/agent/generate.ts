import { type AssembledResponse, MessageAssembler } from "../model/assemble-message.ts";
import { ModelError } from "../model/model-error.ts";
import type { ModelRequest } from "../model/model-request.ts";
import type { ModelProvider } from "../model/stream-model.ts";
import { untilAborted } from "./abortable.ts";
import type { AgentEvent, TextGenerationEvent } from "./agent-event.ts";
import type { RunContext } from "./run-context.ts";
import { TextBuffer, type TextChunk } from "./text-buffer.ts";

/** One answer of the model, in the making and when it is done. */
export class Generation {
  readonly #run: RunContext;
  readonly #request: ModelRequest;
  readonly #assembler = new MessageAssembler();
  #pieces = 0;
  #sequenceIndex = 0;

  constructor(run: RunContext, request: ModelRequest) {
    this.#run = run;
    this.#request = request;
  }

  /** Pieces of text and thinking received. */
  get pieces(): number {
    return this.#pieces;
  }

  /** What has arrived. */
  response(): AssembledResponse {
    return this.#assembler.snapshot();
  }

  /** Asks the model and turns what it sends into events. Throws what the model throws, or the run's stop reason. */
  async *events(provider: ModelProvider): AsyncGenerator<AgentEvent, void, void> {
    const run = this.#run;
    const { streaming, streamingBufferSize } = run.services.configuration;
    const buffer = new TextBuffer(streaming ? streamingBufferSize : Number.POSITIVE_INFINITY);
    let completed = false;
    for await (const event of untilAborted(provider.stream(this.#request, run.signal), run.signal)) {
      this.#assembler.add(event);
      switch (event.type) {
        case "text_delta":
        case "thinking_delta": {
          if (event.text === "") break;
          this.#pieces += 1;
          const before = buffer.turnTo(event.type === "thinking_delta");
          if (before) yield this.#text(before);
          const enough = buffer.add(event.text);
          if (enough) yield this.#text(enough);
          break;
        }
        case "tool_call_started":
        case "tool_call_ready": {
          const rest = buffer.flush();
          if (rest) yield this.#text(rest);
          if (run.services.machine.currentState === "thinking") {
            yield run.move(
              "detect_tool_call",
              event.type === "tool_call_ready" ? event.call.name : event.name,
            );
          }
          break;
        }
        case "response_completed":
          completed = true;
          break;
        case "tool_call_args_delta":
        case "trace":
          break;
      }
    }
    const rest = buffer.flush();
    if (rest) yield this.#text(rest);
    if (!completed) throw new ModelError("cut_off", "The model's answer ended without an end.");
    yield this.#text({ text: "", isThinking: false }, true);
  }

  #text({ text, isThinking }: TextChunk, isComplete = false): TextGenerationEvent {
    const event = {
      ...this.#run.base("text_generation"),
      token: text,
      isComplete,
      tokenCount: this.#pieces,
      isThinking,
      sequenceIndex: this.#sequenceIndex,
      source: this.#request.model,
    };
    this.#sequenceIndex += 1;
    return this.#run.emit(event);
  }
}
