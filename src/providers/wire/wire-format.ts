import type { Model } from "../../model/catalogue.ts";
import type { JsonObject } from "../../model/json.ts";
import type { ModelEvent } from "../../model/model-event.ts";
import type { ModelRequest } from "../../model/model-request.ts";
import type { Endpoint } from "../http/endpoint.ts";

export type WireRequest = {
  /** Added to the endpoint's base URL. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: JsonObject;
};

/** Turns the payloads of one answer into events. Never throws for an odd payload; throws `ModelError` for an error. */
export type WireDecoder = {
  readonly push: (payload: JsonObject) => readonly ModelEvent[];
  /** The provider has said that the answer is whole. */
  readonly finished: () => boolean;
  /** Nothing more will come, and the answer is whole: the last events. */
  readonly end: () => readonly ModelEvent[];
};

/** A provider's language: how a request is written and an answer read. */
export type WireFormat = {
  readonly framing: "sse" | "lines";
  /** `[DONE]` ends an answer even when nothing else has said that it is whole. */
  readonly endsWithDone?: boolean;
  readonly encode: (request: ModelRequest, model: Model | undefined) => WireRequest;
  readonly decode: (endpoint: Endpoint) => WireDecoder;
};
