import { ModelError } from "../model/model-error.ts";
import { PolicyRuleError } from "../policy/rules/policy-settings.ts";
import { RuleSyntaxError } from "../policy/rules/rule-syntax-error.ts";
import { RuleStoreError } from "../policy/settings-rule-store.ts";
import { ConfigurationError } from "../providers/credentials.ts";
import { findPreset } from "../providers/provider-preset.ts";
import { SettingsError } from "../settings/load-settings.ts";
import { UsageError } from "./arguments.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { RunEnded } from "./run-ended.ts";
import { visibleText } from "./visible-text.ts";

export type ErrorReport = {
  /** What went wrong, and below it what to do. */
  readonly lines: readonly string[];
  readonly code: ExitCode;
};

/** An error in the words a user needs. */
export function reportError(error: unknown, model?: string): ErrorReport {
  if (error instanceof UsageError) {
    return report(exitCode.usage, error.message, "Try: aintern --help");
  }
  if (
    error instanceof PolicyRuleError ||
    error instanceof RuleSyntaxError ||
    error instanceof RuleStoreError
  ) {
    return report(exitCode.usage, error.message);
  }
  if (error instanceof ConfigurationError || error instanceof SettingsError)
    return report(exitCode.usage, error.message);
  if (error instanceof ModelError) return report(exitCode.failed, headline(error, model), hint(error, model));
  if (error instanceof RunEnded) return report(exitCode.failed, ending(error));
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return report(exitCode.failed, `Something broke inside aintern. Please report it.\n${message}`);
}

function ending({ reason, details }: RunEnded): string {
  switch (reason) {
    case "max_iterations":
      return "The work is not finished: the limit of turns (agent.maxIterations in settings, at most 100) was reached.";
    case "timeout":
      return "The work is not finished: its time was up. Raise agent.requestTimeoutMs in settings.";
    default:
      if (details?.errorCode === "refused") return `The model refused to answer.\n${details.recoveryHint}`;
      return details ? `${details.error}\n${details.recoveryHint}` : `The work ended: ${reason}.`;
  }
}

function report(code: ExitCode, ...texts: readonly string[]): ErrorReport {
  return { lines: texts.filter(Boolean).flatMap((text) => visibleText(text).split("\n")), code };
}

function headline(error: ModelError, model: string | undefined): string {
  const who = title(error) ?? error.provider ?? "The model";
  const status = error.status ? ` (HTTP ${error.status})` : "";
  switch (error.kind) {
    case "auth":
      return `${who} did not accept the key${status}: ${error.message}`;
    case "not_found":
      return `${who} does not know ${model ?? "this model"}${status}: ${error.message}`;
    case "overloaded":
      return `${who} is overloaded or failing${status}: ${error.message}`;
    case "rate_limit":
      return `${who} limits the requests of this key${status}: ${error.message}`;
    case "context_overflow":
      return `The request is too long for ${model ?? "the model"}${status}: ${error.message}`;
    case "refused":
      return `${who} refused the request${status}: ${error.message}`;
    case "network":
    case "cut_off":
      return `${who}: ${error.message}`;
    case "bad_request":
    case "unknown":
      return `${who} could not take the request${status}: ${error.message}`;
  }
}

function title(error: ModelError): string | undefined {
  return error.provider ? findPreset(error.provider)?.title : undefined;
}

function hint(error: ModelError, model: string | undefined): string {
  const preset = error.provider ? findPreset(error.provider) : undefined;
  switch (error.kind) {
    case "auth":
      return preset?.keyVariables[0]
        ? `Check ${preset.keyVariables[0]}, or "apiKey" under providers.${error.provider} in settings.`
        : `Check "apiKey" under providers.${error.provider ?? "…"} in settings.`;
    case "not_found":
      return error.provider === "ollama" && model
        ? `Get it with: ollama pull ${model.replace(/^ollama\//, "")}   Or see what is there: aintern models`
        : "See what can be used: aintern models";
    case "overloaded":
      return `Try again ${later(error)}, or take another model: aintern models`;
    case "rate_limit":
      return error.transient
        ? `Try again ${later(error)}, or take another model: aintern models`
        : "The quota of this key is spent: look at its plan and billing, or take another model: aintern models";
    case "context_overflow":
      return "Ask with less text, or take a model with a larger context: aintern models";
    case "network":
      return preset?.local
        ? `Is ${preset.title} running? See what answers: aintern models`
        : "Check the network and the address.";
    case "cut_off":
      return "Ask again to get the whole answer.";
    case "refused":
    case "bad_request":
    case "unknown":
      return "";
  }
}

function later(error: ModelError): string {
  return error.retryAfterMs === undefined ? "later" : `in ${Math.ceil(error.retryAfterMs / 1_000)} s`;
}
