import { decide, riskOf, type Verdict } from "./decide.ts";
import type { ExplainedCall, PolicyBasis } from "./explain.ts";
import { locatePath } from "./policy-place.ts";
import { type Finding, high } from "./risk/finding.ts";
import { isControlPath, isSecretPath } from "./risk/sensitive-path.ts";
import { rulesForPaths } from "./rules/matching-rules.ts";

const single = ["path", "file", "filePath", "file_path", "from", "to", "source", "destination"];
const several = ["paths", "files"];

/** The paths a call names in its parameters. */
export function pathsOf({ parameters }: Pick<ExplainedCall, "parameters">): readonly string[] {
  const values = [
    ...single.map((name) => parameters[name]),
    ...several.flatMap((name) => {
      const list = parameters[name];
      return Array.isArray(list) ? list : [];
    }),
  ];
  return values.filter((value) => typeof value === "string");
}

/** Judges a call by the paths it names, each by itself. */
export function judgePaths(
  call: ExplainedCall,
  paths: readonly string[],
  basis: PolicyBasis,
): readonly Verdict[] {
  return paths.map((path) => judgePath(call, path, basis));
}

function judgePath(call: ExplainedCall, written: string, { rules, place }: PolicyBasis): Verdict {
  // To a tool of ours a tilde is a name like any other; only a shell makes a home folder of it.
  const located = locatePath(place, place.root, written.startsWith("~") ? `./${written}` : written);
  const isOurs = call.category === "file_system" || call.category === "search";
  const text = located.relative ?? located.absolute;
  if (isOurs && !located.inside) {
    const reason = `${written} is outside of the workspace. Only paths inside of it can be used.`;
    return { text: written, decision: "deny", risk: "high", source: "built_in", reason, warnings: [] };
  }
  const findings: Finding[] = [];
  if (!call.readOnly && isControlPath(text))
    findings.push(high(`${text} decides what runs later without being asked.`));
  else if (isOurs && isSecretPath(text)) findings.push(high(`${text} may hold keys or passwords.`));
  else if (call.riskLevel === "high") findings.push(high(`${call.toolName} on ${text} is of high risk.`));
  const harmless = call.readOnly && call.riskLevel === "safe" && findings.length === 0;
  const deed = {
    text,
    findings,
    harmless,
    risk: riskOf(findings, call.riskLevel),
    reason: harmless ? "It only reads." : call.readOnly ? `It reads ${text}.` : `It changes ${text}.`,
  };
  const tools =
    call.category === "file_system" && !call.readOnly ? [call.toolId, "write_file"] : [call.toolId];
  const strictTools = isOurs ? ["read_file"] : [];
  return decide(
    deed,
    rulesForPaths(rules, { tools, strictTools }, [located], place.home),
    call.maxAutoApprovalRiskLevel,
  );
}
