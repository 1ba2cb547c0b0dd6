import type { WireFormat } from "../wire-format.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** OpenAI's Responses API. */
export const openaiResponses: WireFormat = { framing: "sse", encode, decode };
