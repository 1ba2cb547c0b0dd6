import { MessageAssembler } from "../model/assemble-message.ts";
import { textOf, userMessage } from "../model/message.ts";
import { ModelError } from "../model/model-error.ts";
import type { OpenedModel } from "../providers/open-model.ts";
import type { AskArguments } from "./arguments.ts";
import type { StandardOutput } from "./standard-output.ts";

/** Asks the model once and prints its answer in the format asked for. */
export async function ask(
  prompt: string,
  model: OpenedModel,
  args: AskArguments,
  output: StandardOutput,
  signal: AbortSignal,
): Promise<void> {
  const assembler = new MessageAssembler();
  const request = {
    model: model.id,
    messages: [userMessage(prompt)],
    ...(args.systemPrompt && { system: args.systemPrompt }),
    ...(model.thinking && { thinking: model.thinking }),
  };
  try {
    for await (const event of model.stream(request, signal)) {
      assembler.add(event);
      if (args.outputFormat === "stream-json") output.write(`${JSON.stringify(event)}\n`);
      else if (args.outputFormat === "text" && event.type === "text_delta") output.write(event.text);
      await output.drained(signal);
    }
  } finally {
    if (args.outputFormat !== "json") output.endLine();
  }
  const { message, reason, usage } = assembler.snapshot();
  if (args.outputFormat === "json") {
    const answer = {
      model: `${model.provider}/${model.id}`,
      text: textOf(message),
      stopReason: reason,
      usage,
    };
    output.write(`${JSON.stringify(answer)}\n`);
    output.flush();
  }
  if (reason === "refused")
    throw new ModelError("refused", "the answer was stopped.", { provider: model.provider });
}
