import { describe, expect, it } from "vitest";
import type { Remember } from "./approval-decision.ts";
import type { PolicyCall } from "./policy.ts";
import { RulePolicy } from "./rule-policy.ts";
import type { RuleStore } from "./rule-store.ts";
import { rulesOf } from "./rules/policy-settings.ts";
import type { PolicySettings } from "./rules/policy-settings-schema.ts";
import { callOf, commandCall, place } from "./testing/judging.ts";

const signal = new AbortController().signal;

function policyWith(settings: PolicySettings = {}) {
  const kept: [string, readonly string[]][] = [];
  const store: RuleStore = {
    add: async (effect, rules) => void kept.push([effect, rules]),
    remove: async () => 0,
  };
  const now = () => new Date("2026-01-01T00:00:00Z");
  const policy = new RulePolicy({
    place,
    rules: rulesOf(settings, "user"),
    store,
    now,
    gitRunsPrograms: () => false,
  });
  const answer = async (call: PolicyCall) => (await policy.judge(call, signal)).answer;
  const approve = (call: PolicyCall, remember: Remember) =>
    policy.remember(call, { approved: true, remember });
  const deny = (call: PolicyCall, remember: Remember) => policy.remember(call, { approved: false, remember });
  return { policy, kept, answer, approve, deny };
}

describe("a decision", () => {
  it("comes with its parts, its warnings and the rules one could keep", async () => {
    const { policy } = policyWith();
    expect(await policy.judge(commandCall("cd src && npm test"), signal)).toEqual({
      answer: "ask",
      reason: "npm is not known to be harmless.",
      source: "default",
      riskLevel: "medium",
      details: ["allowed: cd src", "asks: npm test (npm is not known to be harmless.)"],
      suggestedRules: ["run_command(cd src)", "run_command(npm test *)"],
    });
  });

  it("denies what nobody means, whatever allows it", async () => {
    const { answer } = policyWith({ allow: ["*", "run_command(rm -rf /)"] });
    expect(await answer(commandCall("rm -rf /"))).toBe("deny");
    expect(await answer(commandCall("sudo rm -rf /"))).toBe("deny");
  });

  it("takes the grants that came with the request", async () => {
    const { answer } = policyWith();
    const grant = { toolId: "run_command", autoApproved: true, grantedAt: "", isPersistent: false };
    const asked = (approvalPattern?: string) =>
      answer(
        commandCall("npm test", {
          sessionPermissions: [{ ...grant, ...(approvalPattern ? { approvalPattern } : {}) }],
        }),
      );
    expect(await asked()).toBe("allow");
    expect(await asked("npm *")).toBe("allow");
    expect(await asked("git *")).toBe("ask");
  });
});

describe("an answer", () => {
  it("given once is not remembered", async () => {
    const { answer, approve } = policyWith();
    await approve(commandCall("npm test"), { scope: "once" });
    expect(await answer(commandCall("npm test"))).toBe("ask");
  });

  it("for the session holds for calls like it, in this conversation only, until it is cleared", async () => {
    const { policy, kept, answer, approve } = policyWith();
    await approve(commandCall("npm run build"), { scope: "session" });
    expect(await answer(commandCall("npm run build -- --fast"))).toBe("allow");
    expect(await answer(commandCall("npm run deploy"))).toBe("ask");
    expect(await answer(commandCall("npm run build", { conversationId: "other" }))).toBe("ask");
    expect(policy.sessionPermissions("conversation")).toEqual([
      { effect: "allow", text: "run_command(npm run build *)", grantedAt: "2026-01-01T00:00:00.000Z" },
    ]);
    policy.clearSession("conversation");
    expect(policy.sessionPermissions("conversation")).toEqual([]);
    expect(await answer(commandCall("npm run build"))).toBe("ask");
    expect(kept).toEqual([]);
  });

  it("for the session holds for the very same call where no rule can say it", async () => {
    const { policy, answer, approve } = policyWith();
    await approve(commandCall("for f in a b; do npm run $f; done"), { scope: "session" });
    expect(await answer(commandCall("for f in a b; do npm run $f; done"))).toBe("allow");
    expect(await answer(commandCall("for f in a c; do npm run $f; done"))).toBe("ask");
    expect(policy.sessionPermissions("conversation")).toHaveLength(1);
  });

  it("that denies for the session denies what was asked about, and nothing else of the line", async () => {
    const { answer, deny } = policyWith();
    await deny(commandCall("echo 'a b' && npm publish"), { scope: "session" });
    expect(await answer(commandCall("npm publish"))).toBe("deny");
    expect(await answer(commandCall("ls && npm publish"))).toBe("deny");
    expect(await answer(commandCall("echo 'a b'"))).toBe("allow");
    expect(await answer(commandCall("npm test"))).toBe("ask");
  });

  it("for a tool is kept, and holds for all its calls but those of high risk", async () => {
    const { kept, answer, approve } = policyWith();
    await approve(callOf("write_file", { path: "a" }), { scope: "tool" });
    expect(kept).toEqual([["allow", ["write_file"]]]);
    expect(await answer(callOf("write_file", { path: "src/b" }))).toBe("allow");
    expect(await answer(callOf("write_file", { path: ".git/config" }))).toBe("ask");
  });

  it("for patterns is kept as rules, one for each part", async () => {
    const { kept, answer, approve, policy } = policyWith();
    const call = commandCall("cd src && npm test");
    await approve(call, { scope: "pattern", pattern: [...(await policy.suggestRules(call))] });
    expect(kept).toEqual([["allow", ["run_command(cd src)", "run_command(npm test *)"]]]);
    expect(await answer(call)).toBe("allow");
    await approve(commandCall("git push"), { scope: "pattern", pattern: "git push *" });
    expect(await answer(commandCall("git push origin"))).toBe("allow");
    expect(await answer(commandCall("git push --force"))).toBe("ask");
  });

  it("that denies a pattern or a tool is kept too, and wins", async () => {
    const { kept, answer, deny } = policyWith({ allow: ["*"] });
    await deny(commandCall("npm publish"), { scope: "pattern", pattern: "npm publish *" });
    await deny(callOf("fetch_url", { url: "https://a.io" }), { scope: "tool" });
    expect(kept).toEqual([
      ["deny", ["run_command(npm publish *)"]],
      ["deny", ["fetch_url"]],
    ]);
    expect(await answer(commandCall("npm publish --tag x"))).toBe("deny");
    expect(await answer(callOf("fetch_url", { url: "https://b.io" }))).toBe("deny");
  });

  it("with a pattern that cannot be read is refused by name, and nothing is kept", async () => {
    const { kept, approve } = policyWith();
    await expect(approve(commandCall("git log"), { scope: "pattern", pattern: "git log:*" })).rejects.toThrow(
      "run_command(git log:*)",
    );
    expect(kept).toEqual([]);
  });
});
