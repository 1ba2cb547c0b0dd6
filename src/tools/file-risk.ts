import type { RiskLevel } from "../policy/risk-level.ts";
import { isProtectedPath } from "../workspace/protected-path.ts";
import { isSecretPath } from "../workspace/secret-path.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { PathRefused, type WorkspacePath } from "../workspace/workspace-path.ts";

export function riskOfReading(written: string): RiskLevel {
  return isSecretPath(written) ? "high" : "safe";
}

export function riskOfWriting(written: string): RiskLevel {
  return isProtectedPath(written) ? "high" : "medium";
}

/** Why a call is of high risk, for whoever is asked. */
export function detailsOfReading(written: string): readonly string[] {
  return isSecretPath(written) ? ["Such a file usually holds keys, passwords or tokens."] : [];
}

export function detailsOfWriting(written: string): readonly string[] {
  if (isSecretPath(written)) return detailsOfReading(written);
  return isProtectedPath(written) ? ["Such a file can make other programs run something, now or later."] : [];
}

/**
 * Where a path leads. The risk of a call was judged by the path as it is written; one that leads, over a link, to a file
 * of higher risk is refused, so that no approval can be got for something else. Throws `PathRefused`.
 */
export async function resolveForReading(workspace: Workspace, written: string): Promise<WorkspacePath> {
  const path = await workspace.resolve(written);
  refuseDisguise(written, path, riskOfReading);
  return path;
}

export async function resolveForWriting(workspace: Workspace, written: string): Promise<WorkspacePath> {
  const path = await workspace.resolve(written);
  refuseDisguise(written, path, riskOfWriting);
  return path;
}

function refuseDisguise(
  written: string,
  { relative }: WorkspacePath,
  riskOf: (path: string) => RiskLevel,
): void {
  if (riskOf(relative) === "high" && riskOf(written) !== "high")
    throw new PathRefused(`${written} leads to ${relative}, which must be asked for by its own name.`);
}
