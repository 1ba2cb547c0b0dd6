import type { RulePolicy } from "../policy/rule-policy.ts";
import type { UserPolicy } from "./user-policy.ts";

export type LazyPolicy = Pick<RulePolicy, "judge" | "remember" | "suggestRules">;

/**
 * The user's policy, loaded when the first call is judged: it knows a lot about shells, and many runs make no call.
 * Rules that the user wrote are looked at now, so that a mistake is told before anything is asked.
 */
export async function lazyPolicy(options: UserPolicy): Promise<LazyPolicy> {
  const load = async () => (await import("./user-policy.ts")).userPolicy(options);
  const written = options.settings.policy !== undefined || options.allow.length + options.deny.length > 0;
  if (written) return load();
  let loading: ReturnType<typeof load> | undefined;
  const policy = () => {
    loading ??= load();
    return loading;
  };
  return {
    judge: async (call, signal) => (await policy()).judge(call, signal),
    remember: async (call, decision) => (await policy()).remember(call, decision),
    suggestRules: async (call) => (await policy()).suggestRules(call),
  };
}
