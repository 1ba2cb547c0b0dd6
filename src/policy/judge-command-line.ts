import { tmpdir } from "node:os";
import { type Deed, decide, riskOf, type Verdict } from "./decide.ts";
import type { ExplainedCall, PolicyBasis } from "./explain.ts";
import { isPlainCommand, isPlainText } from "./plain-command.ts";
import { isWithin, type LocatedPath, locatePath } from "./policy-place.ts";
import { assessCommand } from "./risk/assess-command.ts";
import { type CommandContext, locateWord } from "./risk/command-context.ts";
import { assignmentFinding, shellVariableFinding } from "./risk/environment-variable.ts";
import { type Finding, high, medium } from "./risk/finding.ts";
import { isControlPath, isSecretPath } from "./risk/sensitive-path.ts";
import { rulesForCommand, rulesForPaths, rulesForTool } from "./rules/matching-rules.ts";
import { commandName } from "./shell/command-name.ts";
import { readShell } from "./shell/read-shell.ts";
import type { CommandPart, ShellPart } from "./shell/shell-part.ts";
import type { ShellWord } from "./shell/shell-word.ts";

/** Judges every program a command line would start and every file it would write, each by itself. */
export async function judgeCommandLine(
  call: ExplainedCall,
  command: string,
  basis: PolicyBasis,
): Promise<readonly Verdict[]> {
  const parts = readShell(command, await basis.parser());
  const start = startFolder(call, basis);
  const around = { place: basis.place, gitRunsPrograms: basis.gitRunsPrograms };
  let folders: readonly string[] = [start.absolute];
  const plain = isPlainText(command);
  const verdicts: Verdict[] = [];
  if (!start.inside) verdicts.push(judgeStartFolder(call, start, basis));
  for (const part of parts) {
    const context = { ...around, folders };
    verdicts.push(judgePart(part, call, context, { ...basis, plain }));
    folders = foldersAfter(part, context);
  }
  return verdicts;
}

/** `plain`: the whole line means to bash what it seems to mean. */
type LineBasis = PolicyBasis & { readonly plain: boolean };

function judgePart(part: ShellPart, call: ExplainedCall, context: CommandContext, basis: LineBasis): Verdict {
  switch (part.kind) {
    case "command":
      return judgeCommand(part, call, context, basis);
    case "write":
    case "read":
      return judgeRedirection(part, call, context, basis);
    case "assign": {
      const findings = part.assignments.flatMap((each) => shellVariableFinding(each) ?? []);
      return decideFor(call, basis, {
        text: part.text,
        findings,
        harmless: basis.plain && findings.length === 0,
        risk: riskOf(findings, "safe"),
        reason: "It sets a variable.",
      });
    }
    case "unreadable":
      return decideFor(call, basis, {
        text: part.text,
        findings: [high(part.reason)],
        harmless: false,
        risk: "high",
        reason: part.reason,
        unknown: true,
      });
  }
}

function decideFor(call: ExplainedCall, basis: PolicyBasis, deed: Deed): Verdict {
  return decide(deed, rulesForTool(basis.rules, call.toolId), call.maxAutoApprovalRiskLevel);
}

function judgeCommand(
  part: CommandPart,
  call: ExplainedCall,
  context: CommandContext,
  basis: LineBasis,
): Verdict {
  const assessed = assessCommand(part, context);
  const { findings } = assessed;
  // What it runs is judged by itself; a wrapper that does nothing else adds nothing.
  const readsOnly = assessed.harmless || (part.runs === "all" && findings.length === 0);
  const harmless = readsOnly && basis.plain && isPlainCommand(part);
  const assignsMore = part.assignments.some((each) => assignmentFinding(each) !== undefined);
  const deed: Deed = {
    text: part.text,
    findings,
    harmless,
    risk: readsOnly ? "safe" : riskOf(findings, "medium"),
    reason: reasonFor(part, assessed.reason, readsOnly, harmless),
  };
  const own = rulesForCommand(basis.rules, call.toolId, part, assignsMore);
  const paths = assessed.reads.flatMap((word) => locateWord(word, context));
  const readRules = rulesForPaths(
    basis.rules,
    { tools: [], strictTools: ["read_file"] },
    paths,
    context.place.home,
  );
  return decide(
    deed,
    { deny: [...own.deny, ...readRules.deny], others: [...own.others, ...readRules.others] },
    call.maxAutoApprovalRiskLevel,
  );
}

function reasonFor(part: CommandPart, assessed: string, readsOnly: boolean, harmless: boolean): string {
  if (readsOnly && !harmless)
    return "It seems only to read. Only the plainest commands run without a question.";
  return part.runs === "all" && harmless ? "What it runs is judged by itself." : assessed;
}

const harmlessTarget = /^\/dev\/(null|stdout|stderr|stdin|tty|fd\/\d+)$/;

function judgeRedirection(
  part: Extract<ShellPart, { kind: "write" | "read" }>,
  call: ExplainedCall,
  context: CommandContext,
  basis: LineBasis,
): Verdict {
  const { kind, path, text } = part;
  const places = context.folders.map((folder) => locatePath(basis.place, folder, pathText(path)));
  const findings = path.dynamic || path.glob ? [high(`Where ${text} leads is known only when it runs.`)] : [];
  for (const place of places) findings.push(...placeFindings(place, kind));
  const toNowhere = !path.dynamic && harmlessTarget.test(path.text);
  const isInside = places.every(({ inside }) => inside);
  const readsOnly = kind === "read" && isInside && findings.length === 0;
  const harmless = toNowhere || (readsOnly && basis.plain);
  const deed: Deed = {
    text,
    findings: toNowhere ? [] : findings,
    harmless,
    risk: harmless ? "safe" : riskOf(findings, "medium"),
    reason: harmless ? "It changes no file." : `It ${kind}s ${path.text}.`,
  };
  const access = { tools: [kind === "write" ? "write_file" : "read_file"], wholeTools: [call.toolId] };
  const rules = rulesForPaths(basis.rules, access, places, basis.place.home);
  return decide(deed, toNowhere ? { deny: [], others: [] } : rules, call.maxAutoApprovalRiskLevel);
}

function placeFindings(
  { absolute, relative, inside }: LocatedPath,
  kind: "read" | "write",
): readonly Finding[] {
  const shown = relative ?? absolute;
  if (kind === "write" && isControlPath(shown))
    return [high(`${shown} decides what runs later without being asked.`)];
  if (/^\/dev\/(tcp|udp)\//.test(absolute)) return [high("It opens a connection that can carry anything.")];
  if (isSecretPath(shown)) return [high(`${shown} may hold keys or passwords.`)];
  if (inside) return [];
  const outside = `${absolute} is outside of the workspace.`;
  return [kind === "read" || isWithin(tmpdir(), absolute) ? medium(outside) : high(outside)];
}

function pathText(word: ShellWord): string {
  return word.text.startsWith("~") && !word.tilde ? `./${word.text}` : word.text;
}

function startFolder(call: ExplainedCall, { place }: PolicyBasis): LocatedPath {
  const { cwd } = call.parameters;
  return locatePath(place, place.root, typeof cwd === "string" ? cwd : ".");
}

function judgeStartFolder(call: ExplainedCall, start: LocatedPath, basis: PolicyBasis): Verdict {
  const reason = `It runs in ${start.absolute}, outside of the workspace.`;
  return decideFor(call, basis, {
    text: start.absolute,
    findings: [high(reason)],
    harmless: false,
    risk: "high",
    reason,
  });
}

/** More than this many places to be in is nobody's honest command. */
const mostFolders = 16;

/** Where the next command may run. A `cd` may have failed and been passed over, or hold only in a shell of its own. */
function foldersAfter(part: ShellPart, context: CommandContext): readonly string[] {
  if (part.kind !== "command" || commandName(part.words[0]) !== "cd") return context.folders;
  const target = part.words.find(({ text }, at) => at > 0 && !/^(--|-[LPe@]+)$/.test(text));
  const word = target ?? { text: "~", dynamic: false, glob: false, tilde: true };
  const reached =
    word.dynamic || word.text === "-" ? ["/"] : locateWord(word, context).map(({ absolute }) => absolute);
  if (part.leads) return reached;
  const all = [...new Set([...context.folders, ...reached])];
  return all.length > mostFolders ? ["/"] : all;
}
