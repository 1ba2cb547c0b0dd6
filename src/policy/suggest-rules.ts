import { type ExplainedCall, explain, type PolicyBasis } from "./explain.ts";
import { pathsOf } from "./judge-paths.ts";
import { locatePath } from "./policy-place.ts";
import { assignmentFinding } from "./risk/environment-variable.ts";
import { exactPattern } from "./rules/command-pattern.ts";
import { hostOf } from "./rules/host-pattern.ts";
import { exactPathPattern } from "./rules/path-pattern.ts";
import { parseRule } from "./rules/policy-rule.ts";
import { readShell } from "./shell/read-shell.ts";
import type { CommandPart, ShellPart } from "./shell/shell-part.ts";
import type { ShellWord } from "./shell/shell-word.ts";

/**
 * Rules that would allow this call and its like: of a command line one for each part. Empty when no rules would do, or
 * only such as would allow far more than was asked. Every suggestion was tried: with it, the call is allowed.
 */
export async function suggestRules(call: ExplainedCall, basis: PolicyBasis): Promise<readonly string[]> {
  const wide = await candidates(call, basis, "wide");
  if (await wouldAllow(call, basis, wide)) return wide;
  return exactRules(call, basis);
}

/** Rules for this very call and no other. Empty when it cannot be written as rules. */
export async function exactRules(call: ExplainedCall, basis: PolicyBasis): Promise<readonly string[]> {
  const exact = await candidates(call, basis, "exact");
  return (await wouldAllow(call, basis, exact)) ? exact : [];
}

async function wouldAllow(
  call: ExplainedCall,
  basis: PolicyBasis,
  texts: readonly string[],
): Promise<boolean> {
  if (texts.length === 0) return false;
  const added = texts.map((text) => parseRule(text, { effect: "allow", source: "session" }));
  // What the user has been asked about is tried without the rules that made it a question.
  const rules = [...basis.rules.filter(({ effect }) => effect !== "ask"), ...added];
  return (await explain(call, { ...basis, rules })).decision === "allow";
}

type Width = "wide" | "exact";

async function candidates(call: ExplainedCall, basis: PolicyBasis, width: Width): Promise<readonly string[]> {
  const { command, url } = call.parameters;
  if (call.category === "terminal" && typeof command === "string") {
    const parts = readShell(command, await basis.parser());
    const rules = parts.map((part) => ruleForPart(part, call.toolId, width));
    return rules.includes(undefined) ? [] : [...new Set(rules.flatMap((rule) => rule ?? []))];
  }
  if (call.category === "network" && typeof url === "string") {
    const host = hostOf(url);
    return host === undefined ? [] : [`${call.toolId}(host:${host})`];
  }
  const paths = pathsOf(call).map((path) => locatePath(basis.place, basis.place.root, path));
  if (paths.length === 0) return width === "wide" ? [call.toolId] : [];
  const rules = paths.map(({ relative, absolute }) => {
    const path = relative ?? absolute;
    const folder = path.slice(0, path.lastIndexOf("/"));
    const pattern = width === "wide" && folder ? `${exactPathPattern(folder)}/**` : exactPathPattern(path);
    return `${call.toolId}(${pattern})`;
  });
  return [...new Set(rules)];
}

/** No rules for a part that needs none; nothing for one that no rule can allow. */
function ruleForPart(part: ShellPart, tool: string, width: Width): readonly string[] | undefined {
  switch (part.kind) {
    case "unreadable":
      return undefined;
    case "assign":
      return [];
    case "read":
    case "write":
      if (part.path.dynamic || part.path.glob) return undefined;
      return /^\/dev\//.test(part.path.text)
        ? []
        : [`${part.kind}_file(${exactPathPattern(part.path.text)})`];
    case "command": {
      if (part.words.some(({ dynamic, glob }) => dynamic || (glob && width === "exact"))) return undefined;
      if (part.runs === "all") return [];
      const pattern = (width === "wide" && widePattern(part)) || exactCommand(part);
      return [`${tool}(${pattern})`];
    }
  }
}

function exactCommand({ words, assignments }: CommandPart): string {
  const set = assignments.some((each) => assignmentFinding(each)) ? assignments : [];
  return exactPattern([
    ...set.map(({ name, value }) => `${name}=${value.text}`),
    ...words.map(({ text }) => text),
  ]);
}

/** Programs whose second word says what they do, and those words after which any others are harmless enough. */
const subcommands: ReadonlyMap<string, RegExp> = new Map([
  ["npm", /^(test|t|start|ls|outdated)$/],
  ["pnpm", /^(test|t|start|ls|outdated|why)$/],
  ["yarn", /^(test|start|why|build|lint)$/],
  ["bun", /^test$/],
  ["cargo", /^(build|test|check|clippy|fmt|doc|tree|bench|metadata)$/],
  ["go", /^(build|test|vet|fmt|list|doc|version)$/],
  ["mvn", /^(compile|test|package|verify|clean)$/],
  ["dotnet", /^(build|test|format|list)$/],
  ["mix", /^(compile|test|format)$/],
  ["vitest", /^(run|list)$/],
  ["playwright", /^test$/],
]);
const scripts = /^(npm|pnpm|yarn|bun) run$/;
/** `npm run build *`. Of all other programs only the very command: `bash *` or `rm *` would allow anything. */
function widePattern({ words, assignments }: CommandPart): string | undefined {
  const [program, second, third] = words;
  if (!program || assignments.some((each) => assignmentFinding(each))) return undefined;
  const name = program.text;
  const fixed = (...start: readonly (ShellWord | undefined)[]) =>
    `${exactPattern(start.flatMap((word) => (word ? [word.text] : [])))} *`;
  if (second && third && scripts.test(`${name} ${second.text}`) && /^[\w:.-]+$/.test(third.text))
    return /^-/.test(third.text) ? undefined : fixed(program, second, third);
  const known = subcommands.get(name);
  return known && second && known.test(second.text) ? fixed(program, second) : undefined;
}
