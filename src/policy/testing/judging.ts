import { posix } from "node:path";
import type { JsonObject } from "../../model/json.ts";
import { type Explanation, explain, type PolicyBasis } from "../explain.ts";
import type { PolicyCall } from "../policy.ts";
import { rulesOf } from "../rules/policy-settings.ts";
import type { PolicySettings } from "../rules/policy-settings-schema.ts";
import { loadShellParser } from "../shell/shell-parser.ts";

/** A workspace that need not be on the disk: nothing in it is a link. */
export const place = {
  root: "/r/proj",
  home: "/home/me",
  realPath: (path: string) => posix.normalize(path),
};

export function basisOf(settings: PolicySettings = {}): PolicyBasis {
  return { rules: rulesOf(settings, "user"), place, parser: loadShellParser };
}

export function callOf(toolId: string, parameters: JsonObject, more: Partial<PolicyCall> = {}): PolicyCall {
  const reads = /^(read_file|list_directory|find_files|search_text)$/.test(toolId);
  return {
    callId: "call",
    requestId: "request",
    conversationId: "conversation",
    toolId,
    toolName: toolId,
    category: toolId === "run_command" ? "terminal" : toolId === "fetch_url" ? "network" : "file_system",
    readOnly: reads,
    parameters,
    riskLevel: reads ? "safe" : "medium",
    summary: toolId,
    ...more,
  };
}

export function commandCall(command: string, more: Partial<PolicyCall> = {}): PolicyCall {
  return callOf("run_command", { command }, more);
}

export function judgeCommand(command: string, settings?: PolicySettings): Promise<Explanation> {
  return explain(commandCall(command), basisOf(settings));
}
