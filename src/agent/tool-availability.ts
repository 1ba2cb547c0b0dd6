import type { RiskLevel } from "../policy/risk-level.ts";
import type { ToolCategory } from "../policy/tool-category.ts";
import type { ToolPermission } from "../policy/tool-permission.ts";
import type { Tool } from "../tools/tool.ts";
import type { TextSelection } from "./agent-request.ts";

/** Where the request comes from, and which tools it may use there. */
export type ToolAvailabilityContext = {
  readonly workspacePath?: string;
  readonly activeFilePath?: string;
  readonly activeSelection?: TextSelection;
  /** Left out: all. */
  readonly enabledToolIds?: readonly string[];
  /** Wins over `enabledToolIds`. */
  readonly disabledToolIds?: readonly string[];
  /** Left out: all. */
  readonly enabledCategories?: readonly ToolCategory[];
  /** The policy's business: above it, calls ask. */
  readonly maxAutoApprovalRiskLevel?: RiskLevel;
  readonly allowTerminalTools?: boolean;
  readonly allowNetworkTools?: boolean;
  /**
   * False removes what can change files: file tools and foreign ones that do not only read. A shell can change files
   * too and has its own switch; a read-only session sets both.
   */
  readonly allowFileWrites?: boolean;
  /** The policy's business too. */
  readonly sessionPermissions?: readonly ToolPermission[];
};

export function hasWorkspace(context: ToolAvailabilityContext): boolean {
  return context.workspacePath !== undefined && context.workspacePath !== "";
}

/** The tools a request may use, in their order. */
export function availableTools(
  tools: readonly Tool[],
  context: ToolAvailabilityContext = {},
): readonly Tool[] {
  return tools.filter((tool) => isAvailable(tool, context));
}

function isAvailable({ id, category, readOnly }: Tool, context: ToolAvailabilityContext): boolean {
  if (context.disabledToolIds?.includes(id)) return false;
  if (context.enabledToolIds && !context.enabledToolIds.includes(id)) return false;
  if (context.enabledCategories && !context.enabledCategories.includes(category)) return false;
  if (context.allowTerminalTools === false && category === "terminal") return false;
  if (context.allowNetworkTools === false && category === "network") return false;
  const mayWriteFiles = !readOnly && (category === "file_system" || category === "custom");
  return context.allowFileWrites !== false || !mayWriteFiles;
}
