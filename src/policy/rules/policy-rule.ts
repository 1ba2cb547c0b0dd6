import type { PolicyAnswer, RuleSource } from "../policy-decision.ts";
import {
  type CommandPattern,
  commandDetail,
  exampleWords,
  isExactCommand,
  matchesCommand,
  parseCommandPattern,
} from "./command-pattern.ts";
import { type HostPattern, hostOf, matchesHost, parseHostPattern } from "./host-pattern.ts";
import { isExactPath, matchesPath, type PathPattern, parsePathPattern, pathDetail } from "./path-pattern.ts";
import { RuleSyntaxError } from "./rule-syntax-error.ts";

export type RulePattern = CommandPattern | PathPattern | HostPattern;

/** A line of a policy. */
export type PolicyRule = {
  readonly effect: PolicyAnswer;
  /** As its author wrote it: `run_command(git log *)`. */
  readonly text: string;
  readonly source: Exclude<RuleSource, "default">;
  /** A tool's id; a star in it stands for anything. */
  readonly tool: string;
  /** Without one the rule speaks for every call of the tool. */
  readonly pattern?: RulePattern;
  /** The author's own words, shown when the rule decides. */
  readonly reason?: string;
};

const written = /^\s*([^\s()]+)\s*(?:\(([\s\S]*)\))?\s*$/;

/** Reads `tool`, `tool(pattern)` or `*`. Throws `RuleSyntaxError`. */
export function parseRule(
  text: string,
  { effect, source, reason }: Pick<PolicyRule, "effect" | "source" | "reason">,
): PolicyRule {
  const found = written.exec(text);
  const tool = found?.[1];
  if (!tool) {
    throw new RuleSyntaxError(
      "must be a tool's name, with a pattern in brackets if need be: run_command(git log *)",
    );
  }
  const inner = found[2];
  const rule = { effect, source, tool, text: text.trim(), ...(reason === undefined ? {} : { reason }) };
  if (inner === undefined) return rule;
  const pattern = parsePattern(tool, inner.trim());
  return pattern ? { ...rule, pattern } : rule;
}

function parsePattern(tool: string, inner: string): RulePattern | undefined {
  const [, kind, rest = ""] = /^(command|path|host):([\s\S]*)$/.exec(inner) ?? [];
  switch (kind ?? kindFor(tool)) {
    case "command":
      return inner === "*" ? undefined : parseCommandPattern(kind ? rest : inner);
    case "host":
      return parseHostPattern(kind ? rest : inner);
    default:
      return inner === "*" || inner === "**" ? undefined : parsePathPattern(kind ? rest : inner);
  }
}

function kindFor(tool: string): RulePattern["kind"] {
  if (tool === "run_command") return "command";
  return tool === "fetch_url" ? "host" : "path";
}

/** A tool named like a property of every object is a tool like any other. */
export function matchesTool(rule: PolicyRule, toolId: string): boolean {
  if (!rule.tool.includes("*")) return rule.tool === toolId;
  const pieces = rule.tool.split("*").map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pieces.join(".*")}$`, "s").test(toolId);
}

/** Names one thing and nothing else: whoever wrote it knew what it would let through. */
export function isExactRule({ pattern }: PolicyRule): boolean {
  switch (pattern?.kind) {
    case "command":
      return isExactCommand(pattern);
    case "path":
      return isExactPath(pattern);
    case "host":
      return !pattern.host.includes("*");
    default:
      return false;
  }
}

/** The more a rule says, the more it counts. Compared from the first number on. */
export function specificity(rule: PolicyRule): readonly number[] {
  const tool = rule.tool === "*" ? 0 : rule.tool.includes("*") ? 1 : 2;
  const exact = isExactRule(rule) ? 1 : 0;
  switch (rule.pattern?.kind) {
    case "command":
      return [1, exact, ...commandDetail(rule.pattern), tool];
    case "path":
      return [1, exact, pathDetail(rule.pattern), 0, tool];
    case "host":
      return [1, exact, rule.pattern.host.length, 0, tool];
    default:
      return [0, 0, 0, 0, tool];
  }
}

export function compareSpecificity(a: PolicyRule, b: PolicyRule): number {
  const [left, right] = [specificity(a), specificity(b)];
  for (const [at, value] of left.entries()) {
    const difference = value - (right[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a rule speaks for an example: one command, one path, one host or address, or a tool's name. */
export function matchesExample(rule: PolicyRule, example: string): boolean {
  switch (rule.pattern?.kind) {
    case "command": {
      const words = exampleWords(example);
      if (!words) throw new RuleSyntaxError(`has an example that is not a single command: ${example}`);
      return matchesCommand(rule.pattern, words);
    }
    case "path":
      return matchesPath(
        rule.pattern,
        { absolute: example, relative: example.replace(/^\.\//, "") },
        { home: "~" },
      );
    case "host":
      return matchesHost(rule.pattern, hostOf(example) ?? example.toLowerCase());
    default:
      return matchesTool(rule, example);
  }
}
