import type { JsonObject } from "../model/json.ts";
import type { RiskLevel } from "../policy/risk-level.ts";

/** A call the model asked for, as everybody outside sees it. Plain JSON. */
export type ToolCallRequest = {
  /** The call's id: unique in its conversation, and what an approval names. */
  readonly id: string;
  /** What the model called, also when there is no such tool. */
  readonly toolId: string;
  readonly toolName: string;
  readonly parameters: JsonObject;
  readonly riskLevel: RiskLevel;
  /** What the call will do, in one line. */
  readonly executionSummary: string;
  /** ISO 8601. */
  readonly requestedAt: string;
  readonly iterationNumber: number;
  /** The arguments as the model wrote them, present only when they were not valid JSON. */
  readonly rawJson?: string;
  /** What was done to make valid JSON of them. */
  readonly repairs?: readonly string[];
  readonly validationResult: ValidationResult;
};

export type ValidationResult = { readonly isValid: boolean; readonly errors: readonly string[] };

/** Where a call is in its life. The last six are ends. */
export const toolCallStatuses = [
  "parsed",
  "validating",
  "awaiting_approval",
  "approved",
  "executing",
  /** Never judged: unknown tool, wrong or unreadable arguments, cut off, or no calls allowed any more. */
  "validation_failed",
  /** By a rule, by a person, or because nobody answered. */
  "denied",
  "completed",
  "failed",
  "cancelled",
  "timed_out",
] as const;

export type ToolCallStatus = (typeof toolCallStatuses)[number];

export type ToolCallEnd = Extract<
  ToolCallStatus,
  "validation_failed" | "denied" | "completed" | "failed" | "cancelled" | "timed_out"
>;
