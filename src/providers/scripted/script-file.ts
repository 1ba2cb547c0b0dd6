import * as z from "zod/mini";
import type { StreamModel } from "../../model/stream-model.ts";
import { ConfigurationError } from "../credentials.ts";
import { createScriptedProvider, type ScriptedAnswer } from "./scripted-provider.ts";

const json = z.json();
const step = z.union([
  z.string(),
  z.strictObject({ thinking: z.string() }),
  z.strictObject({ call: z.string(), arguments: z.record(z.string(), json), id: z.optional(z.string()) }),
  z.strictObject({ waitMs: z.int().check(z.nonnegative()) }),
]);
const scriptFile = z.array(z.array(step)).check(z.minLength(1));

/**
 * A script in a JSON file: one list an answer, of texts, `{"thinking"}`, `{"call","arguments"}` and `{"waitMs"}`.
 * A path is relative to the configuration folder.
 */
export async function openScriptFile(name: string, path: string, configFolder: string): Promise<StreamModel> {
  const { readFile } = process.getBuiltinModule("node:fs/promises");
  const { resolve } = process.getBuiltinModule("node:path");
  const file = resolve(configFolder, path);
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw new ConfigurationError(`The script of ${name} cannot be read: ${file}`, { cause: error });
  }
  const parsed = scriptFile.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new ConfigurationError(
      `The script of ${name} is not a list of answers: ${file}\n${z.prettifyError(parsed.error)}`,
    );
  }
  return createScriptedProvider(parsed.data.map(answerOf), name).stream;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // not JSON: the schema says what was expected
  }
}

function answerOf(steps: readonly z.infer<typeof step>[], turn: number): ScriptedAnswer {
  return steps.flatMap((part, index): ScriptedAnswer => {
    if (typeof part === "string") return [{ type: "text_delta", text: part }];
    if ("thinking" in part) return [{ type: "thinking_delta", text: part.thinking }];
    if ("waitMs" in part) return [part.waitMs];
    const id = part.id ?? `call_${turn}_${index}`;
    return [
      { type: "tool_call_started", callId: id, name: part.call },
      { type: "tool_call_args_delta", callId: id, text: JSON.stringify(part.arguments) },
      { type: "tool_call_ready", call: { id, name: part.call, arguments: part.arguments } },
    ];
  });
}
