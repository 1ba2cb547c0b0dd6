import { describe, expect, it } from "vitest";
import {
  agentConfiguration,
  checkAgentConfiguration,
  defaultAgentConfiguration,
} from "./agent-configuration.ts";

function problemsOf(settings: unknown): readonly string[] {
  const check = checkAgentConfiguration(settings);
  return check.ok ? [] : check.problems.map((problem) => problem.message);
}

it("has these defaults", () => {
  const { toolUsePrompt, toolDefinitionFormat, toolCallFormat, ...rest } = defaultAgentConfiguration;
  expect(rest).toEqual({
    enabled: true,
    maxIterations: 100,
    maxParallelToolCalls: 3,
    toolTimeoutMs: 120_000,
    requestTimeoutMs: 600_000,
    approvalTimeoutMs: 300_000,
    iterationDelayMs: 0,
    includeToolResultsInHistory: true,
    maxToolResultTokens: 4_096,
    autoRetryFailedTools: false,
    streaming: true,
    streamingBufferSize: 1,
  });
  expect(toolUsePrompt).toContain("Prefer reading files before modifying them");
  expect(toolDefinitionFormat).toMatch(/\{name\}.*\{description\}.*\{parameters\}/s);
  expect(toolCallFormat).toContain("```tool_call");
});

describe("bounds", () => {
  const bounds: [string, number, number | undefined][] = [
    ["maxIterations", 1, 100],
    ["maxParallelToolCalls", 1, 10],
    ["toolTimeoutMs", 5_000, undefined],
    ["requestTimeoutMs", 120_000, 2_147_483_647],
    ["approvalTimeoutMs", 1_000, 2_147_483_647],
    ["iterationDelayMs", 0, 60_000],
    ["maxToolResultTokens", 100, undefined],
    ["streamingBufferSize", 1, 1_000],
  ];
  it.each(bounds)("%s is from %i to %s", (setting, least, most) => {
    expect(problemsOf({ [setting]: least })).toEqual([]);
    expect(problemsOf({ [setting]: least - 1 })[0]).toMatch(`${setting} is ${least - 1}; it must be a whole`);
    expect(problemsOf({ [setting]: least + 0.5 })).toHaveLength(1);
    expect(problemsOf({ [setting]: String(least) })).toHaveLength(1);
    if (most === undefined) return;
    expect(problemsOf({ [setting]: most })).toEqual([]);
    expect(problemsOf({ [setting]: most + 1 })[0]).toContain(`${setting} is ${most + 1}; it must be`);
  });

  it.each(["toolUsePrompt", "toolCallFormat"])("%s is not empty", (setting) => {
    expect(problemsOf({ [setting]: " \n" })).toEqual([
      `${setting} is " \\n"; it must be a text that is not empty.`,
    ]);
  });

  it("a tool definition names its tool", () => {
    expect(problemsOf({ toolDefinitionFormat: "# {description}" })).toHaveLength(1);
  });

  it("a request lasts at least as long as a tool may", () => {
    expect(problemsOf({ toolTimeoutMs: 60_000, requestTimeoutMs: 60_000 })).toEqual([]);
    expect(problemsOf({ toolTimeoutMs: 60_000, requestTimeoutMs: 59_999 })).toEqual([
      "requestTimeoutMs is 59999; it must be a whole number of milliseconds, at least toolTimeoutMs " +
        "and at most 2147483647. toolTimeoutMs is 60000.",
    ]);
    expect(problemsOf({ requestTimeoutMs: 100_000 })[0]).toContain("toolTimeoutMs is 120000");
    expect(problemsOf({ toolTimeoutMs: 900_000 })[0]).toContain("requestTimeoutMs is 600000");
  });
});

it("collects every problem, one for each setting", () => {
  const settings = { maxIterations: 0, streaming: "yes", toolTimeoutMs: 700_000, maxIteration: 3 };
  const check = checkAgentConfiguration(settings);
  if (check.ok) throw new Error("a wrong configuration was accepted");
  expect(check.problems.map((problem) => [problem.setting, problem.value])).toEqual([
    ["maxIterations", 0],
    ["streaming", "yes"],
    ["maxIteration", 3],
    ["requestTimeoutMs", 600_000],
  ]);
});

it.each([[null], [5], [[]]])("refuses %j as a whole", (settings) => {
  expect(problemsOf(settings)).toEqual(["The agent's configuration must be an object."]);
});

it("throws for wrong settings from code, naming them all", () => {
  expect(agentConfiguration({ maxIterations: 7 }).maxIterations).toBe(7);
  expect(() => agentConfiguration({ maxIterations: 0, maxParallelToolCalls: 11 })).toThrow(
    /maxIterations is 0.*maxParallelToolCalls is 11/s,
  );
});
