import { parseArgs } from "node:util";
import { closestWord } from "../model/closest-word.ts";

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
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly addDirs: readonly string[];
};

export const policyActions = ["list", "explain", "allow", "ask", "deny", "remove"] as const;

export type PolicyArguments = {
  readonly command: "policy";
  readonly action: (typeof policyActions)[number];
  readonly words: readonly string[];
  readonly json: boolean;
  readonly allow: readonly string[];
  readonly deny: readonly string[];
};

export type Arguments =
  | AskArguments
  | PolicyArguments
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
  allow: { type: "string", multiple: true },
  deny: { type: "string", multiple: true },
  "add-dir": { type: "string", multiple: true },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

export function parseArguments(argv: readonly string[]): Arguments {
  const { values, positionals } = parse(argv);
  if (values.help) return { command: "help" };
  if (values.version) return { command: "version" };
  // Behind `--` everything is the prompt, and `-p` says that there is one.
  const dashes = argv.indexOf("--");
  const isPrompt = values.print || (dashes !== -1 && dashes === argv.length - positionals.length - 1);
  const first = isPrompt ? undefined : positionals[0];
  if (first === "models" && positionals.length === 1)
    return { command: "models", json: values.json ?? false };
  const rules = { allow: values.allow ?? [], deny: values.deny ?? [] };
  if (first === "policy") {
    const policy = policyArguments(positionals.slice(1));
    if (policy) return { ...policy, json: values.json ?? false, ...rules };
  }
  if (first === "help" || first === "version") if (positionals.length === 1) return { command: first };
  if (first !== undefined && positionals.length === 1) refuseTypo(first);
  const format = values.json ? "json" : (values["output-format"] ?? "text");
  if (!isOutputFormat(format)) {
    throw new UsageError(`"${format}" is not an output format. There are ${outputFormats.join(", ")}.`);
  }
  return {
    command: "ask",
    // By convention, `-` is standard input, which is read anyway.
    prompt: positionals.filter((word) => word !== "-").join(" "),
    print: values.print ?? false,
    model: values.model,
    outputFormat: format,
    systemPrompt: values["system-prompt"],
    yes: values.yes ?? false,
    ...rules,
    addDirs: values["add-dir"] ?? [],
  };
}

/** Words that begin no action are a prompt: "policy of this repository". */
function policyArguments([action = "list", ...words]: readonly string[]) {
  const known = policyActions.find((name) => name === action);
  return known && { command: "policy" as const, action: known, words };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(usageMessage(error));
  }
}

/** A misspelt command must not become a question to a model that costs money. */
function refuseTypo(word: string): void {
  const meant = closestWord(word, ["models", "policy", "help", "version"]);
  if (meant) throw new UsageError(`Did you mean: aintern ${meant}   To ask a model: aintern -p ${word}`);
}

function isOutputFormat(text: string): text is OutputFormat {
  return (outputFormats as readonly string[]).includes(text);
}

/**
 * Node says "Unknown option '--modle'. To specify a positional argument starting with a '-', …" and "Option '-m, --model
 * <value>' argument missing".
 */
function usageMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const unknown = /^Unknown option '([^']+)'/.exec(message)?.[1];
  if (unknown !== undefined) {
    const meant = closestWord(
      unknown,
      Object.keys(options).map((name) => `--${name}`),
    );
    const hint = meant ? `Did you mean ${meant}?` : "A prompt that begins with a dash goes behind --.";
    return `There is no option ${unknown.trim()}. ${hint}`;
  }
  const missing = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(message)?.[1];
  return missing ? `${missing} needs a value.` : (message.split(". ")[0] ?? message);
}
