import type { WireFormat } from "../wire-format.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** Ollama's own API. Its OpenAI-compatible one cannot set the context length. */
export const ollamaChat: WireFormat = { framing: "lines", encode, decode };
