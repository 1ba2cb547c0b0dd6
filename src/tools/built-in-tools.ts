import type { RiskLevel } from "../policy/risk-level.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { Environment } from "./command/command-environment.ts";
import { JobTable } from "./command/job-table.ts";
import type { WrapCommand } from "./command/spawn-command.ts";
import { editFileTool } from "./edit-file.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import { findFilesTool } from "./find-files.ts";
import { jobsTool } from "./jobs.ts";
import { listDirectoryTool } from "./list-directory.ts";
import { readFileTool } from "./read-file.ts";
import { runCommandTool } from "./run-command.ts";
import { searchTextTool } from "./search-text.ts";
import { todoTool } from "./todo.ts";
import type { Tool } from "./tool.ts";
import type { AllowAddress } from "./web/public-address.ts";
import { writeFileTool } from "./write-file.ts";

export type BuiltInToolsOptions = {
  readonly workspace: Workspace;
  /** Whether the model can see. */
  readonly images?: boolean;
  /** For output of commands that is too long to show. Grant it to the workspace, so that the model can read on there. */
  readonly outputFolder?: string;
  /** What commands inherit, without secrets. Left out: what this process has. */
  readonly env?: Environment;
  /** Variables that hold keys under names that do not tell. */
  readonly secretVariables?: readonly string[];
  readonly riskOfCommand?: (command: string) => RiskLevel;
  /** Puts a sandbox around each command. */
  readonly wrapCommand?: WrapCommand;
  readonly allowAddress?: AllowAddress;
};

/** The tools, and what they hold: disposing ends every process they started. */
export type BuiltInTools = AsyncDisposable & { readonly tools: readonly Tool[]; readonly jobs: JobTable };

export function createBuiltInTools(options: BuiltInToolsOptions): BuiltInTools {
  const { workspace, images = false, outputFolder, wrapCommand, allowAddress, ...command } = options;
  const jobs = new JobTable({ outputFolder, wrapCommand });
  const tools: readonly Tool[] = [
    readFileTool(workspace, { images }),
    writeFileTool(workspace),
    editFileTool(workspace),
    listDirectoryTool(workspace),
    findFilesTool(workspace),
    searchTextTool(workspace),
    runCommandTool({ workspace, jobs, ...command }),
    jobsTool(jobs),
    fetchUrlTool(allowAddress ? { allowAddress } : {}),
    todoTool(),
  ];
  return { tools, jobs, [Symbol.asyncDispose]: () => jobs[Symbol.asyncDispose]() };
}
