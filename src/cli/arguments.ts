import { parseArgs } from "node:util";

export const outputFormats = ["text", "json", "stream-json"] as const;
export type OutputFormat = (typeof outputFormats)[number];

export type AskArguments = {
  readonly command: "ask";
  readonly prompt: string;
  readonly print: boolean;
  readonly model: string | undefined;
  readonly outputFormat: OutputFormat;
  readonly systemPrompt: string | undefined;
  readonly yes: boolean;
};

export type Arguments =
  | AskArguments
  | { readonly command: "models"; readonly json: boolean }
  | { readonly command: "help" }
  | { readonly command: "version" };

/** The command line cannot be understood. The message says which word, and what would be. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const options = {
  print: { type: "boolean", short: "p" },
  model: { type: "string", short: "m" },
  "output-format": { type: "string" },
  "system-prompt": { type: "string" },
  yes: { type: "boolean", short: "y" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

export function parseArguments(argv: readonly string[]): Arguments {
  let parsed: ReturnType<
    typeof parseArgs<{ options: typeof options; allowPositionals: true; args: string[] }>
  >;
  try {
    parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(usageMessage(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  if (positionals[0] === "models" && !values.print) {
    if (positionals.length > 1) throw new UsageError(`"models" takes no "${positionals[1]}".`);
    return { command: "models", json: values.json ?? false };
  }
  const format = values.json ? "json" : (values["output-format"] ?? "text");
  if (!isOutputFormat(format)) {
    throw new UsageError(`"${format}" is not an output format. There are ${outputFormats.join(", ")}.`);
  }
  return {
    command: "ask",
    prompt: positionals.join(" "),
    print: values.print ?? false,
    model: values.model,
    outputFormat: format,
    systemPrompt: values["system-prompt"],
    yes: values.yes ?? false,
  };
}

function isOutputFormat(text: string): text is OutputFormat {
  return (outputFormats as readonly string[]).includes(text);
}

/** Node: "Unknown option '--modle'. To specify a positional argument starting with a '-', …" */
function usageMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '([^']+)'/.exec(message);
  return unknown ? `There is no option ${unknown[1]}.` : (message.split(". ")[0] ?? message);
}
