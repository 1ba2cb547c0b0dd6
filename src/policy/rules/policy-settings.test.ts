import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { describeIssues } from "../../model/describe-issues.ts";
import { PolicyRuleError, rulesFromTexts, rulesOf } from "./policy-settings.ts";
import { policySettingsSchema } from "./policy-settings-schema.ts";

const problemsOf = (value: unknown) => {
  const { error } = z.safeParse(policySettingsSchema, value);
  const words = { entry: "setting", whole: "The policy", known: ["allow", "ask", "deny"] };
  return describeIssues(error?.issues ?? [], value, words);
};

describe("policy settings", () => {
  it("are rules as text, or with examples and a reason", () => {
    const settings = {
      allow: ["run_command(git log *)", "read_file"],
      ask: [{ rule: "write_file(docs/**)", match: ["docs/a.md"], noMatch: ["src/a.ts"] }],
      deny: [
        { rule: "fetch_url(host:evil.example)", match: ["https://evil.example/x"], reason: "It is evil." },
      ],
    };
    expect(problemsOf(settings)).toEqual([]);
    expect(
      rulesOf(settings, "project").map(({ effect, text, source, reason }) => [effect, text, source, reason]),
    ).toEqual([
      ["allow", "run_command(git log *)", "project", undefined],
      ["allow", "read_file", "project", undefined],
      ["ask", "write_file(docs/**)", "project", undefined],
      ["deny", "fetch_url(host:evil.example)", "project", "It is evil."],
    ]);
  });

  it("of another shape are refused with each mistake", () => {
    expect(problemsOf({ allow: [5, { rule: "read_file", examples: [] }], forbid: [] })).toEqual([
      '`allow[0]` must be a rule, such as "run_command(git log *)", or an object with a `rule`; got 5',
      "`allow[1].examples` is not a known setting",
      "`forbid` is not a known setting; known: allow, ask, deny",
    ]);
  });

  it("whose rules have mistakes are refused with each of them", () => {
    const load = () =>
      rulesOf(
        {
          allow: ["run_command(git log"],
          deny: [
            { rule: "run_command(rm *)", match: ["rm -rf x", "rmdir x"], noMatch: ["rm x", "ls"] },
            { rule: "run_command(rm *)", match: ["ls && rm x"] },
          ],
        },
        "user",
      );
    try {
      load();
      expect.fail("nothing was thrown");
    } catch (error) {
      expect(error instanceof PolicyRuleError && error.problems).toEqual([
        'policy.allow[0]: the rule "run_command(git log" must be a tool\'s name, with a pattern in brackets if need be: run_command(git log *)',
        "policy.deny[0]: the rule run_command(rm *) does not match its own example: rmdir x",
        "policy.deny[0]: the rule run_command(rm *) matches what it must not: rm x",
        'policy.deny[1]: the rule "run_command(rm *)" has an example that is not a single command: ls && rm x',
      ]);
    }
  });

  it("with a rule whose examples fail load no rule at all, and say which", () => {
    const load = () =>
      rulesOf({ deny: ["read_file", { rule: "run_command(rm *)", match: ["rmdir x"] }] }, "user");
    expect(load).toThrow(PolicyRuleError);
    expect(load).toThrow(
      "policy.deny[1]: the rule run_command(rm *) does not match its own example: rmdir x",
    );
  });
});

it("settings can be described to editors", () => {
  const schema = z.toJSONSchema(policySettingsSchema, { io: "input" });
  expect(Object.keys(schema.properties ?? {})).toEqual(["allow", "ask", "deny"]);
});

it("rules come from the command line as well", () => {
  expect(rulesFromTexts({ allow: ["read_file"], deny: ["run_command(rm *)"] })).toMatchObject([
    { effect: "allow", tool: "read_file", source: "session" },
    { effect: "deny", tool: "run_command", source: "session" },
  ]);
  expect(() => rulesFromTexts({ deny: ["rm *"] })).toThrow(PolicyRuleError);
});
