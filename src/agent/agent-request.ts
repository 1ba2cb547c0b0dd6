import type { ImagePart, Message } from "../model/message.ts";
import type { ModelRequest } from "../model/model-request.ts";
import type { ToolAvailabilityContext } from "./tool-availability.ts";

/** A file, or a part of one, that the user put before the model. */
export type AttachedFile = {
  readonly path: string;
  readonly content: string;
  readonly language?: string;
  /** The file has more than `content`. */
  readonly isTruncated?: boolean;
  /** 1-based; where `content` begins and ends in the file. */
  readonly startLine?: number;
  readonly endLine?: number;
  readonly fileSizeBytes?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
};

/** What is selected in an editor. Lines and columns are 1-based. */
export type TextSelection = {
  readonly startLine: number;
  readonly startColumn: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly text: string;
};

/** Only the cursor, no text. */
export function isEmptySelection(selection: TextSelection): boolean {
  return selection.startLine === selection.endLine && selection.startColumn === selection.endColumn;
}

/** Whatever is left out is the provider's own default. */
export type InferenceOptions = Pick<
  ModelRequest,
  "maxOutputTokens" | "temperature" | "topP" | "seed" | "stop" | "thinking"
>;

/** One thing to do, with all that is needed for it. */
export type AgentRequest = {
  /** Left out: go on from the end of `history`, as after a failed attempt. */
  readonly message?: string;
  readonly images?: readonly ImagePart[];
  readonly conversationId: string;
  readonly requestId: string;
  /** What was said before, oldest first. */
  readonly history?: readonly Message[];
  readonly attachedFiles?: readonly AttachedFile[];
  /** The tool-use prompt follows it when there are tools. */
  readonly systemPrompt?: string;
  readonly toolContext?: ToolAvailabilityContext;
  readonly inferenceOptions?: InferenceOptions;
  /** False: plain chat. */
  readonly enableTools?: boolean;
  /** Instead of the configured one, with the same bounds. */
  readonly maxIterations?: number;
  /** ISO 8601. */
  readonly createdAt?: string;
};
