import type { JsonValue } from "../model/json.ts";
import type { ApprovalDecision } from "./approval-decision.ts";
import { builtInRules } from "./built-in-rules.ts";
import { type ExplainedCall, type Explanation, explain, type PolicyBasis } from "./explain.ts";
import type { Policy, PolicyCall } from "./policy.ts";
import type { PolicyAnswer, PolicyDecision } from "./policy-decision.ts";
import type { PolicyPlace } from "./policy-place.ts";
import { gitRunsPrograms } from "./risk/git-settings.ts";
import type { RuleStore } from "./rule-store.ts";
import type { PolicyRule } from "./rules/policy-rule.ts";
import { rulesFromTexts } from "./rules/policy-settings.ts";
import { loadShellParser } from "./shell/shell-parser.ts";
import { exactRules, suggestRules } from "./suggest-rules.ts";

export type RulePolicyOptions = {
  readonly place: PolicyPlace;
  /** From the settings and the command line. The built-in ones need not be named. */
  readonly rules?: readonly PolicyRule[];
  /** Where "always" is kept. Without one it lasts as long as this object. */
  readonly store?: RuleStore;
  readonly parser?: PolicyBasis["parser"];
  readonly gitRunsPrograms?: (folder: string) => boolean;
  readonly now?: () => Date;
};

/** Something answered for the rest of a conversation. */
export type SessionPermission = {
  readonly effect: "allow" | "deny";
  /** A rule, or the call itself where no rule can say it. */
  readonly text: string;
  /** ISO 8601. */
  readonly grantedAt: string;
};

type Grant = SessionPermission & ({ readonly rule: PolicyRule } | { readonly sameCall: string });

/** Judges by rules, and remembers what it is told to. One object serves many conversations. */
export class RulePolicy implements Policy {
  readonly #options: RulePolicyOptions;
  readonly #sessions = new Map<string, readonly Grant[]>();
  #kept: readonly PolicyRule[] = [];

  constructor(options: RulePolicyOptions) {
    this.#options = options;
  }

  async judge(call: PolicyCall, signal: AbortSignal): Promise<PolicyDecision> {
    const explained = await this.explain(call);
    signal.throwIfAborted();
    const { decision, reason, source, rule, risk, parts } = explained;
    const warnings = [...new Set(parts.flatMap((part) => part.warnings))];
    const suggestedRules = decision === "ask" ? await this.suggestRules(call) : [];
    return {
      answer: decision,
      reason,
      source,
      ...(rule === undefined ? {} : { rule }),
      riskLevel: risk,
      ...(parts.length > 1 ? { details: parts.map(detailOf) } : {}),
      ...(warnings.length > 0 ? { warnings } : {}),
      ...(suggestedRules.length > 0 ? { suggestedRules } : {}),
    };
  }

  /** What would be decided, and why. Changes nothing. */
  async explain(call: ExplainedCall & { readonly conversationId?: string }): Promise<Explanation> {
    const explained = await explain(call, this.#basis(call));
    const same = this.#grants(call).findLast(
      (grant) => "sameCall" in grant && grant.sameCall === identity(call),
    );
    if (!same || explained.decision === "deny") return explained;
    if (same.effect === "allow" && explained.decision === "allow") return explained;
    const reason =
      same.effect === "allow" ? "It was approved for this session." : "It was denied for this session.";
    return { ...explained, decision: same.effect, source: "session", reason };
  }

  /** Rules that would allow this call and its like, to be shown before they are kept. */
  suggestRules(call: ExplainedCall & { readonly conversationId?: string }): Promise<readonly string[]> {
    return suggestRules(call, this.#basis(call));
  }

  /** Throws `PolicyRuleError` for a pattern that cannot be read, and what the store throws. */
  async remember(call: PolicyCall, decision: ApprovalDecision): Promise<void> {
    const { remember, approved } = decision;
    const effect = approved ? "allow" : "deny";
    switch (remember?.scope) {
      case "session":
        return this.#grant(call, effect);
      case "tool":
        return this.#keep(effect, [call.toolId]);
      case "pattern": {
        const patterns = typeof remember.pattern === "string" ? [remember.pattern] : remember.pattern;
        return this.#keep(
          effect,
          patterns.map((pattern) => asRule(pattern, call.toolId)),
        );
      }
      default:
        return undefined;
    }
  }

  /** What holds for the rest of a conversation, oldest first. */
  sessionPermissions(conversationId: string): readonly SessionPermission[] {
    const grants = this.#sessions.get(conversationId) ?? [];
    return grants.map(({ effect, text, grantedAt }) => ({ effect, text, grantedAt }));
  }

  /** Forgets what holds for a conversation, or for all of them. */
  clearSession(conversationId?: string): void {
    if (conversationId === undefined) this.#sessions.clear();
    else this.#sessions.delete(conversationId);
  }

  /** All rules that hold for every conversation, the built-in ones first. */
  rules(): readonly PolicyRule[] {
    return [...builtInRules, ...(this.#options.rules ?? []), ...this.#kept];
  }

  #basis(call: Partial<PolicyCall>): PolicyBasis {
    const { place, parser = loadShellParser } = this.#options;
    const session = this.#grants(call).flatMap((grant) => ("rule" in grant ? [grant.rule] : []));
    return {
      rules: [...this.rules(), ...session, ...grantedRules(call)],
      place,
      parser,
      gitRunsPrograms: this.#options.gitRunsPrograms ?? gitRunsPrograms,
    };
  }

  #grants({ conversationId }: Partial<PolicyCall>): readonly Grant[] {
    return conversationId === undefined ? [] : (this.#sessions.get(conversationId) ?? []);
  }

  /** An approval holds for calls like it, a denial for this very call. */
  async #grant(call: PolicyCall, effect: "allow" | "deny"): Promise<void> {
    const basis = this.#basis(call);
    const texts = effect === "allow" ? await suggestRules(call, basis) : await deniedRules(call, basis);
    const grantedAt = (this.#options.now?.() ?? new Date()).toISOString();
    const rules = rulesFromTexts({ [effect]: texts }, "session");
    const added: readonly Grant[] =
      rules.length > 0
        ? rules.map((rule) => ({ effect, text: rule.text, grantedAt, rule }))
        : [{ effect, text: call.summary, grantedAt, sameCall: identity(call) }];
    this.#sessions.set(call.conversationId, [...this.#grants(call), ...added]);
  }

  async #keep(effect: "allow" | "deny", texts: readonly string[]): Promise<void> {
    const rules = rulesFromTexts({ [effect]: texts }, "user");
    await this.#options.store?.add(effect, texts);
    this.#kept = [...this.#kept, ...rules];
  }
}

/** Only what was asked about: the `ls` in `ls && npm publish` was never the trouble. */
async function deniedRules(call: PolicyCall, basis: PolicyBasis): Promise<readonly string[]> {
  const all = await exactRules(call, basis);
  const needed: string[] = [];
  for (const rule of all) {
    const others = rulesFromTexts({ allow: all.filter((each) => each !== rule) });
    const { decision } = await explain(call, { ...basis, rules: [...basis.rules, ...others] });
    if (decision !== "allow") needed.push(rule);
  }
  return needed;
}

/** `git log *` for a command is `run_command(git log *)`; a whole rule stays as it is. */
function asRule(pattern: string, toolId: string): string {
  const text = pattern.trim();
  const isWhole =
    text === toolId || [toolId, "write_file", "read_file"].some((tool) => text.startsWith(`${tool}(`));
  return isWhole ? text : `${toolId}(${text})`;
}

/** Grants that came with the request. */
function grantedRules({ toolId, sessionPermissions = [] }: Partial<PolicyCall>): readonly PolicyRule[] {
  const texts = sessionPermissions
    .filter((permission) => permission.autoApproved && permission.toolId === toolId)
    .map(({ approvalPattern, toolId: tool }) => (approvalPattern ? asRule(approvalPattern, tool) : tool));
  return rulesFromTexts({ allow: texts }, "session");
}

/** The same tool with the same parameters, in whatever order they are written. */
function identity({ toolId, parameters }: Pick<PolicyCall, "toolId" | "parameters">): string {
  return JSON.stringify([toolId, sorted(parameters)]);
}

function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, entry]) => [key, sorted(entry)]);
}

const marks: Record<PolicyAnswer, string> = { allow: "allowed", ask: "asks", deny: "denied" };

function detailOf({ text, decision, reason }: Explanation["parts"][number]): string {
  return `${marks[decision]}: ${text}${decision === "allow" ? "" : ` (${reason})`}`;
}
