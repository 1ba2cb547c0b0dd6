import * as z from "zod/mini";

/** The longest time a timer can wait; a longer one would fire at once. */
const longestMs = 2_147_483_647;

const defaultToolUsePrompt = `You are an AI assistant with access to tools that can help you complete tasks.
When you need to perform an action, use the appropriate tool.
Always explain what you're doing and why before using a tool.
After using a tool, interpret the results for the user.
If a tool fails, explain the error and suggest alternatives.

Important guidelines:
- Prefer reading files before modifying them
- Break complex tasks into smaller steps
- Ask for confirmation before destructive operations
- Summarize changes after completing a task`;

const defaultToolDefinitionFormat = `## {name}
{description}

Parameters:
\`\`\`json
{parameters}
\`\`\``;

const defaultToolCallFormat = `To use a tool, respond with a JSON block in this format:
\`\`\`tool_call
{
  "tool": "tool_id",
  "parameters": { ... }
}
\`\`\`

You may include text before or after the tool call to explain your reasoning.
Wait for the tool result before continuing with your response.`;

/** All times are milliseconds, and say so in their names. */
export const agentConfigurationSchema = z.strictObject({
  enabled: z._default(z.boolean().check(z.describe("Off: plain chat, no tools.")), true),
  maxIterations: z._default(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(100),
        z.describe(
          "Each is one answer of the model and the calls it asks for. In the last one it must answer without tools.",
        ),
      ),
    100,
  ),
  maxParallelToolCalls: z._default(
    z.int().check(z.gte(1), z.lte(10), z.describe("Calls of one answer that may run at the same time.")),
    3,
  ),
  toolTimeoutMs: z._default(
    z.int().check(z.gte(5_000), z.lte(longestMs), z.describe("For one call of a tool, in milliseconds.")),
    120_000,
  ),
  requestTimeoutMs: z._default(
    z
      .int()
      .check(
        z.gte(5_000),
        z.lte(longestMs),
        z.describe(
          "For the whole request, in milliseconds. Waiting for an approval does not count. The command allows a day.",
        ),
      ),
    600_000,
  ),
  approvalTimeoutMs: z._default(
    z
      .int()
      .check(
        z.gte(1_000),
        z.lte(longestMs),
        z.describe("No answer to an approval in this time is a refusal."),
      ),
    300_000,
  ),
  iterationDelayMs: z._default(
    z.int().check(z.gte(0), z.lte(60_000), z.describe("A pause before the model is asked again.")),
    0,
  ),
  includeToolResultsInHistory: z._default(
    z.boolean().check(z.describe("Off: the model learns that a call was made, not what came of it.")),
    true,
  ),
  maxToolResultTokens: z._default(
    z
      .int()
      .check(
        z.gte(100),
        z.describe(
          "What is longer is cut in the middle and kept whole in a file. The command allows 16,000.",
        ),
      ),
    4_096,
  ),
  autoRetryFailedTools: z._default(
    z
      .boolean()
      .check(
        z.describe("Once, and only tools that change nothing: half of a failed change may have happened."),
      ),
    false,
  ),
  toolUsePrompt: z._default(
    z.string().check(z.regex(/\S/), z.describe("Follows the system prompt whenever the model has tools.")),
    defaultToolUsePrompt,
  ),
  toolDefinitionFormat: z._default(
    z
      .string()
      .check(
        z.regex(/\{name\}/),
        z.describe(
          "For models without tool calling of their own. Placeholders: {name}, {description}, {parameters}.",
        ),
      ),
    defaultToolDefinitionFormat,
  ),
  toolCallFormat: z._default(
    z
      .string()
      .check(
        z.regex(/\S/),
        z.describe("For models without tool calling of their own: how they are to write a call."),
      ),
    defaultToolCallFormat,
  ),
  streaming: z._default(z.boolean().check(z.describe("Off: each block of text comes as one event.")), true),
  streamingBufferSize: z._default(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(1_000),
        z.describe("Pieces of text gathered into one event. More means fewer events, later."),
      ),
    1,
  ),
});

export type AgentConfiguration = z.output<typeof agentConfigurationSchema>;
/** Whatever is left out takes its default. */
export type AgentSettings = z.input<typeof agentConfigurationSchema>;

export const defaultAgentConfiguration: AgentConfiguration = z.parse(agentConfigurationSchema, {});

const timeout = (least: string) =>
  `a whole number of milliseconds, at least ${least} and at most ${longestMs}`;

const allowed: Readonly<Record<keyof AgentConfiguration, string>> = {
  enabled: "true or false",
  maxIterations: "a whole number from 1 to 100",
  maxParallelToolCalls: "a whole number from 1 to 10",
  toolTimeoutMs: timeout("5000"),
  requestTimeoutMs: timeout("toolTimeoutMs"),
  approvalTimeoutMs: timeout("1000"),
  iterationDelayMs: "a whole number of milliseconds from 0 to 60000",
  includeToolResultsInHistory: "true or false",
  maxToolResultTokens: "a whole number, at least 100",
  autoRetryFailedTools: "true or false",
  toolUsePrompt: "a text that is not empty",
  toolDefinitionFormat: "a text with the placeholder {name}",
  toolCallFormat: "a text that is not empty",
  streaming: "true or false",
  streamingBufferSize: "a whole number from 1 to 1000",
};

export type ConfigurationProblem = {
  readonly setting: string;
  readonly value: unknown;
  /** Names the setting, its value and what is allowed. */
  readonly message: string;
};

export type ConfigurationCheck =
  | { readonly ok: true; readonly configuration: AgentConfiguration }
  | { readonly ok: false; readonly problems: readonly ConfigurationProblem[] };

/** Fills in the defaults, or finds everything that is wrong. */
export function checkAgentConfiguration(settings: unknown): ConfigurationCheck {
  const parsed = z.safeParse(agentConfigurationSchema, settings);
  const found = new Map<string, ConfigurationProblem>();
  for (const issue of parsed.error?.issues ?? []) {
    for (const problem of problemsOf(issue, settings)) found.set(problem.setting, problem);
  }
  const limit = timeoutOrder(settings);
  if (limit && !found.has(limit.setting)) found.set(limit.setting, limit);
  if (parsed.success && found.size === 0) return { ok: true, configuration: parsed.data };
  return { ok: false, problems: [...found.values()] };
}

/** For settings that came from code rather than from a user. */
export function agentConfiguration(settings: AgentSettings = {}): AgentConfiguration {
  const check = checkAgentConfiguration(settings);
  if (check.ok) return check.configuration;
  const list = check.problems.map((problem) => problem.message).join("\n");
  throw new RangeError(`The agent's configuration is not valid.\n${list}`);
}

function problemsOf(issue: z.core.$ZodIssue, settings: unknown): readonly ConfigurationProblem[] {
  if (issue.code === "unrecognized_keys") {
    const names = Object.keys(allowed).join(", ");
    return issue.keys.map((setting) => ({
      setting,
      value: read(settings, setting),
      message: `${setting} is not a setting. Settings: ${names}.`,
    }));
  }
  const [setting] = issue.path;
  if (!isSetting(setting)) {
    return [{ setting: "agent", value: settings, message: "The agent's configuration must be an object." }];
  }
  return [problemWith(setting, read(settings, setting))];
}

/** Zod looks at this only when every setting is right by itself, and then would hide it behind the others. */
function timeoutOrder(settings: unknown): ConfigurationProblem | undefined {
  const tool = read(settings, "toolTimeoutMs") ?? defaultAgentConfiguration.toolTimeoutMs;
  const request = read(settings, "requestTimeoutMs") ?? defaultAgentConfiguration.requestTimeoutMs;
  if (typeof tool !== "number" || typeof request !== "number" || request >= tool) return undefined;
  const { setting, value, message } = problemWith("requestTimeoutMs", request);
  return { setting, value, message: `${message} toolTimeoutMs is ${tool}.` };
}

function problemWith(setting: keyof AgentConfiguration, value: unknown): ConfigurationProblem {
  return {
    setting,
    value,
    message: `${setting} is ${JSON.stringify(value)}; it must be ${allowed[setting]}.`,
  };
}

function isSetting(name: unknown): name is keyof AgentConfiguration {
  return typeof name === "string" && Object.hasOwn(allowed, name);
}

function read(settings: unknown, name: string): unknown {
  return typeof settings === "object" && settings !== null ? Reflect.get(settings, name) : undefined;
}
