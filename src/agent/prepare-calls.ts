import type { AssembledResponse } from "../model/assemble-message.ts";
import type { AssistantMessage, AssistantPart, ToolCall } from "../model/message.ts";
import type { RiskLevel } from "../policy/risk-level.ts";
import type { Tool } from "../tools/tool.ts";
import { fold } from "../tools/tool-registry.ts";
import { messageOf } from "./agent-error.ts";
import { repairArguments } from "./repair-arguments.ts";
import type { ToolCallRequest } from "./tool-call-lifecycle.ts";

/** A call that can be judged. */
export type ReadyCall = { readonly request: ToolCallRequest; readonly tool: Tool; readonly args: unknown };

/** A call that cannot run, and what the model is told about it. */
export type InvalidCall = {
  readonly request: ToolCallRequest;
  readonly tool: undefined;
  readonly problem: string;
  /** The text of the call itself is at fault, not what it says. */
  readonly unreadable: boolean;
};

export type PreparedCall = ReadyCall | InvalidCall;

export type PreparedResponse = {
  readonly message: AssistantMessage;
  readonly calls: readonly PreparedCall[];
};

export type CallSetting = {
  /** By id. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly iterationNumber: number;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly claimCallId: (wanted: string) => string;
};

/**
 * The calls of an answer, checked against their tools, and the message as it goes into the history: with ids of its
 * own, repaired arguments, and the calls that were cut off. Those need a result too, or the model would not learn of it.
 */
export function prepareResponse(response: AssembledResponse, setting: CallSetting): PreparedResponse {
  const calls: PreparedCall[] = [];
  const content: AssistantPart[] = response.message.content.map((part) => {
    if (part.type !== "tool_call") return part;
    const { call, prepared } = prepareCall(part.call, response.reason === "length", setting);
    calls.push(prepared);
    return { type: "tool_call", call };
  });
  for (const { callId, name, argumentsText } of response.unfinished) {
    const call = { id: setting.claimCallId(callId), name, arguments: {}, malformedArguments: argumentsText };
    calls.push(invalid(requestOf(call, setting, argumentsText), unfinishedText(response.reason), true));
    content.push({ type: "tool_call", call });
  }
  return { message: { role: "assistant", content }, calls };
}

function unfinishedText(reason: AssembledResponse["reason"]): string {
  return reason === "length"
    ? "Not run: the call was cut off by the output limit before it was complete. Write less at once: split the work into several smaller calls."
    : "Not run: the call broke off before it was complete. Make it again.";
}

function prepareCall(
  written: ToolCall,
  wasCut: boolean,
  setting: CallSetting,
): { readonly call: ToolCall; readonly prepared: PreparedCall } {
  const raw = written.malformedArguments;
  const call: ToolCall = { ...written, id: setting.claimCallId(written.id) };
  if (raw === undefined) return { call, prepared: checkCall(call, setting) };
  const repaired = wasCut ? undefined : repairArguments(raw);
  if (repaired) {
    const { malformedArguments: _, ...whole } = call;
    const readable: ToolCall = { ...whole, arguments: repaired.arguments };
    return { call: readable, prepared: checkCall(readable, setting, raw, repaired.repairs) };
  }
  const problem = wasCut ? unfinishedText("length") : unreadableText(raw);
  return { call, prepared: invalid(requestOf(call, setting, raw), problem, true) };
}

function unreadableText(raw: string): string {
  return `Not run: the arguments are not valid JSON (${jsonProblem(raw)}). Send the call again with one valid JSON object.`;
}

function jsonProblem(raw: string): string {
  try {
    JSON.parse(raw);
    return "they are not an object";
  } catch (error) {
    return messageOf(error);
  }
}

function checkCall(
  call: ToolCall,
  setting: CallSetting,
  raw?: string,
  repairs?: readonly string[],
): PreparedCall {
  const tool = setting.tools.get(call.name);
  if (!tool) return invalid(requestOf(call, setting, raw, repairs), unknownText(call.name, setting.tools));
  const check = checkArguments(tool, call.arguments);
  if (!check.ok) {
    const request = requestOf(call, setting, raw, repairs, tool);
    const list = check.problems.map((problem) => `- ${problem}`).join("\n");
    const problem = `Not run: the arguments of ${tool.id} are not valid.\n${list}\nCorrect them and call again.`;
    return invalid(request, problem, false, check.problems);
  }
  const request = {
    ...requestOf(call, setting, raw, repairs, tool),
    riskLevel: riskOf(tool, check.args),
    executionSummary: summarize(tool, check.args),
  };
  return { request, tool, args: check.args };
}

/** Foreign code runs here; what it throws is a finding about the call, not the end of the run. */
export function checkArguments(tool: Tool, parameters: ToolCall["arguments"]): ReturnType<Tool["validate"]> {
  try {
    return tool.validate(parameters);
  } catch (error) {
    return { ok: false, problems: [`The arguments could not be checked: ${messageOf(error)}`] };
  }
}

/** A tool that cannot tell is taken at its worst. */
export function riskOf(tool: Tool, args: unknown): RiskLevel {
  try {
    return tool.riskOf(args);
  } catch {
    return "high";
  }
}

export function summarize(tool: Tool, args: unknown): string {
  try {
    return tool.summarize(args);
  } catch {
    // A summary is a courtesy: the approval shows the parameters as well.
    return tool.name;
  }
}

function requestOf(
  call: ToolCall,
  { iterationNumber, timestamp }: CallSetting,
  raw?: string,
  repairs: readonly string[] = [],
  tool?: Tool,
): ToolCallRequest {
  const toolName = tool?.name ?? call.name;
  return {
    id: call.id,
    toolId: call.name,
    toolName,
    parameters: call.arguments,
    riskLevel: tool?.risk ?? "medium",
    executionSummary: tool ? tool.name : `Execute ${call.name}`,
    requestedAt: timestamp,
    iterationNumber,
    ...(raw === undefined ? {} : { rawJson: raw }),
    ...(repairs.length > 0 ? { repairs } : {}),
    validationResult: { isValid: true, errors: [] },
  };
}

function invalid(
  request: ToolCallRequest,
  problem: string,
  unreadable = false,
  errors: readonly string[] = [problem],
): InvalidCall {
  const validationResult = { isValid: false, errors };
  return { request: { ...request, validationResult }, tool: undefined, problem, unreadable };
}

function unknownText(name: string, tools: ReadonlyMap<string, Tool>): string {
  const ids = [...tools.keys()];
  const meant = ids.find((id) => fold(id) === fold(name));
  const hint = meant === undefined ? `Tools: ${ids.join(", ") || "none"}.` : `Did you mean ${meant}?`;
  return `Not run: there is no tool ${JSON.stringify(name)}. ${hint}`;
}
