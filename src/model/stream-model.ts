import type { ModelEvent } from "./model-event.ts";
import type { ModelRequest } from "./model-request.ts";

/**
 * Yields deltas and, last, exactly one `response_completed`. Throws `ModelError`, or `signal.reason` when cancelled.
 * Leaving the loop closes the connection.
 */
export type StreamModel = (request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>;

/** A way to reach models. */
export type ModelProvider = { readonly name: string; readonly stream: StreamModel };
