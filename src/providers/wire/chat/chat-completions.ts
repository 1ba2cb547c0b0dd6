import type { WireFormat } from "../wire-format.ts";
import { decode } from "./decode.ts";
import type { ChatDialect } from "./dialect.ts";
import { encode } from "./encode.ts";

/** OpenAI's chat completions, the language that most servers speak, each in its own dialect. */
export function chatCompletions(dialect: ChatDialect, provider: string): WireFormat {
  return {
    framing: "sse",
    endsWithDone: true,
    encode: (request, model) => encode(request, model, dialect, provider),
    decode,
  };
}
