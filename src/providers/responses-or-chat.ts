import { ModelError } from "../model/model-error.ts";
import type { StreamModel } from "../model/stream-model.ts";

/**
 * Behind a custom `OPENAI_BASE_URL` there is often a server that knows only the older chat completions. The first
 * answer that says so decides for all later requests.
 */
export function responsesOrChat(responses: StreamModel, chat: StreamModel): StreamModel {
  let knowsResponses = true;
  return async function* stream(request, signal) {
    if (knowsResponses) {
      try {
        yield* responses(request, signal);
        return;
      } catch (error) {
        if (!isMissingPath(error)) throw error;
        knowsResponses = false;
      }
    }
    yield* chat(request, signal);
  };
}

/**
 * An HTTP status says so, and that comes before any event; a 404 about the model is not about the path. LM Studio
 * answers 200 and "Unexpected endpoint or method. (POST /v1/responses)".
 */
function isMissingPath(error: unknown): boolean {
  if (!(error instanceof ModelError)) return false;
  if (/^unexpected endpoint or method/i.test(error.message)) return true;
  const missing = error.status === 404 || error.status === 405 || error.status === 501;
  return missing && !/model/i.test(`${error.code ?? ""} ${error.message}`);
}
