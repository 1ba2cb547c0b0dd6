import { ModelError } from "../../model/model-error.ts";
import type { ModelEvent } from "../../model/model-event.ts";
import type { ModelRequest } from "../../model/model-request.ts";
import type { ModelProvider } from "../../model/stream-model.ts";
import { noUsage } from "../../model/usage.ts";

/**
 * One answer of the script: its events in order. An `Error` among them is thrown at that point; a number waits that
 * many milliseconds. `response_completed` is added where the script leaves it out.
 */
export type ScriptedAnswer = readonly (ModelEvent | Error | number)[];

/** A list is played one answer a request; a function answers by what it is asked. */
export type Script =
  | readonly ScriptedAnswer[]
  | ((request: ModelRequest, turn: number) => ScriptedAnswer | Promise<ScriptedAnswer>);

export type ScriptedProvider = ModelProvider & {
  /** What the model was asked so far. */
  readonly requests: readonly ModelRequest[];
};

/** A model that plays a script: for tests, demos, and users' own tests of their tools. */
export function createScriptedProvider(script: Script, name = "scripted"): ScriptedProvider {
  const requests: ModelRequest[] = [];
  return {
    name,
    requests,
    async *stream(request, signal) {
      const turn = requests.push(request) - 1;
      const answer = typeof script === "function" ? await script(request, turn) : script[turn];
      if (!answer) {
        throw new ModelError("bad_request", `The script has no answer for request ${turn + 1}.`, {
          provider: name,
        });
      }
      yield* play(answer, signal);
    },
  };
}

async function* play(answer: ScriptedAnswer, signal: AbortSignal): AsyncIterable<ModelEvent> {
  let completed = false;
  let called = false;
  for (const step of answer) {
    signal.throwIfAborted();
    if (step instanceof Error) throw step;
    if (typeof step === "number") {
      await wait(step, signal);
      continue;
    }
    completed ||= step.type === "response_completed";
    called ||= step.type === "tool_call_ready";
    yield step;
  }
  signal.throwIfAborted();
  if (!completed)
    yield { type: "response_completed", reason: called ? "tool_calls" : "stop", usage: noUsage };
}

function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal.addEventListener("abort", stop, { once: true });
  });
}
