import { PathRefused } from "../workspace/workspace-path.ts";
import { failed, type ToolResult } from "./tool-result.ts";

/** A path the workspace refuses is a failure for the model to read. */
export async function refused(work: () => Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PathRefused) return failed(error.message);
    throw error;
  }
}
