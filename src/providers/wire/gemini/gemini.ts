import type { WireFormat } from "../wire-format.ts";
import { decode } from "./decode.ts";
import { encode } from "./encode.ts";

/** Google's Gemini API (`streamGenerateContent`). */
export const gemini: WireFormat = { framing: "sse", encode, decode };
