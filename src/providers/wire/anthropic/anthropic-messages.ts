import type { WireFormat } from "../wire-format.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** Anthropic's Messages API. */
export const anthropicMessages: WireFormat = { framing: "sse", encode, decode };
