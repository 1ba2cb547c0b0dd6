import { realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "../agent/agent.ts";
import {
  type AgentConfiguration,
  type AgentSettings,
  agentConfiguration,
} from "../agent/agent-configuration.ts";
import type { AgentEvent, ApprovalRequestEvent, CompletionReason } from "../agent/agent-event.ts";
import { codingPrompt } from "../agent/coding-prompt.ts";
import { largeResultFolder } from "../agent/large-result-folder.ts";
import { describeToolsAsText } from "../agent/system-prompt.ts";
import type { ToolCallRequest } from "../agent/tool-call-lifecycle.ts";
import { ModelError } from "../model/model-error.ts";
import { newId } from "../model/new-id.ts";
import type { StreamModel } from "../model/stream-model.ts";
import type { OpenedModel } from "../providers/open-model.ts";
import type { Settings } from "../settings/settings.ts";
import { createBuiltInTools } from "../tools/built-in-tools.ts";
import { ToolRegistry } from "../tools/tool-registry.ts";
import { Workspace } from "../workspace/workspace.ts";
import { type AskArguments, UsageError } from "./arguments.ts";
import { codingEnvironment } from "./coding-environment.ts";
import { type LazyPolicy, lazyPolicy } from "./lazy-policy.ts";
import { createPrinter } from "./printers.ts";
import { endsWithoutAnswer, RunEnded } from "./run-ended.ts";
import type { StandardOutput } from "./standard-output.ts";
import { visibleText } from "./visible-text.ts";

export type Ask = {
  readonly prompt: string;
  readonly model: OpenedModel;
  readonly args: AskArguments;
  readonly options: { readonly settings: Settings; readonly configFolder: string };
  readonly output: StandardOutput;
  readonly signal: AbortSignal;
};

/** Work on code takes long and reads a lot: what the agent's own defaults, made for chat, would cut short. */
const forCoding: AgentSettings = {
  requestTimeoutMs: 24 * 60 * 60 * 1_000,
  maxToolResultTokens: 16_000,
  // A command may ask for ten minutes and ends itself; this is for what does not.
  toolTimeoutMs: 11 * 60 * 1_000,
  toolUsePrompt:
    "Use several tools at once where their calls do not depend on each other. When a call fails, read why before you " +
    "try again.",
};

/** One request, answered and printed. Throws what the model failed with, or `RunEnded` when it ended otherwise. */
export async function ask({ prompt, model, args, options, output, signal }: Ask): Promise<void> {
  const results = join(temporaryFolder(), `aintern-results-${newId()}`);
  const added = args.addDirs.map(realFolder);
  const workspace = await Workspace.open(currentFolder(), [results, ...added]);
  const { root, granted } = workspace;
  const policy = await lazyPolicy({
    ...options,
    workspace: root,
    granted,
    allow: args.allow,
    deny: args.deny,
  });
  const configuration = agentConfiguration({ ...forCoding, ...options.settings.agent });
  const stream = model.toolCalling === "text" ? await textTools(model.stream, configuration) : model.stream;
  await using builtIn = createBuiltInTools({
    workspace,
    images: model.facts?.images ?? false,
    outputFolder: results,
    secretVariables: keyVariables(options.settings),
  });
  const tools = new ToolRegistry(builtIn.tools);
  // Somebody sits at a terminal and can be asked; the answer may still go into a file.
  const watched = process.stdin.isTTY === true && process.stderr.isTTY === true;
  const agent = new Agent({
    model: { provider: { name: model.provider, stream }, id: model.id },
    tools,
    policy,
    approver: args.yes ? () => ({ approved: true }) : watched ? "events" : "nobody",
    settings: configuration,
    storeLargeResult: largeResultFolder(results),
  });
  const printer = createPrinter(args.outputFormat, output, `${model.provider}/${model.id}`);
  try {
    const run = agent.run(
      {
        message: prompt,
        conversationId: newId(),
        requestId: newId(),
        systemPrompt: args.systemPrompt ?? codingPrompt(codingEnvironment(workspace.root)),
        enableTools: model.facts?.tools !== false,
        ...(model.thinking && { inferenceOptions: { thinking: model.thinking } }),
      },
      signal,
    );
    const asked = new Map<string, ToolCallRequest>();
    let error: Extract<AgentEvent, { type: "agent_error" }> | undefined;
    let reason: CompletionReason | undefined;
    for await (const event of run) {
      printer.print(event);
      if (event.type === "agent_error" && endsWithoutAnswer(event)) error = event;
      if (event.type === "agent_complete") reason = event.reason;
      if (event.type === "tool_call_request") asked.set(event.request.id, event.request);
      if (event.type === "tool_result" && event.permission?.source === "nobody") {
        await tellHowToAllow(asked.get(event.callId), tools, policy);
      }
      if (event.type === "approval_request" && watched && !args.yes) {
        output.endLine();
        await answerInTerminal(agent, event, signal);
      }
      if (output.needsDrain) await output.drained(signal);
    }
    printer.end();
    signal.throwIfAborted();
    if (reason && (reason !== "finished" || error))
      throw run.failure instanceof ModelError ? run.failure : new RunEnded(reason, error);
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError("The folder you are in does not exist any more. Change to another one.");
  }
}

/** `"apiKey": "env:MY_KEY"` names a secret that its own name may not tell. */
function keyVariables({ providers = {} }: Settings): readonly string[] {
  return Object.values(providers).flatMap(({ apiKey }) =>
    apiKey?.startsWith("env:") ? [apiKey.slice(4)] : [],
  );
}

function realFolder(written: string): string {
  try {
    return realpathSync(written);
  } catch {
    throw new UsageError(`There is no folder ${written} to add.`);
  }
}

/** Without links, as the workspace wants it. One that does not exist is made when something is stored there. */
function temporaryFolder(): string {
  try {
    return realpathSync(tmpdir());
  } catch {
    return tmpdir();
  }
}

/** What would have been asked, had anybody been there: the way out is a rule. */
async function tellHowToAllow(
  request: ToolCallRequest | undefined,
  tools: ToolRegistry,
  policy: LazyPolicy,
): Promise<void> {
  const tool = request && tools.get(request.toolId);
  if (!tool) return;
  const rules = await policy.suggestRules({ ...tool, ...request, toolName: tool.name });
  const flags = rules.map((rule) => `--allow '${visibleText(rule)}'`).join(" ");
  const summary = visibleText(request.executionSummary);
  process.stderr.write(
    `aintern: Not done, because nobody is here to ask: ${summary}\n         Allow it with ${flags || "--yes"}\n`,
  );
}

/** Asks until the agent takes the answer: edited parameters are checked again, and may be refused. */
async function answerInTerminal(
  agent: Agent,
  event: ApprovalRequestEvent,
  signal: AbortSignal,
): Promise<void> {
  const { askInTerminal } = await import("./terminal-approval.ts");
  const terminal = { input: process.stdin, output: process.stderr };
  // When time is up the agent has denied it, and the question is taken back.
  const expired = AbortSignal.timeout(event.timeout);
  let problem: string | undefined;
  do {
    try {
      const decision = await askInTerminal({ event, problem }, terminal, AbortSignal.any([signal, expired]));
      const receipt = await agent.provideApproval(event.request.id, decision);
      const isOpen =
        !receipt.accepted && (receipt.why === "invalid_parameters" || receipt.why === "denied_by_policy");
      problem = isOpen ? receipt.reason : undefined;
    } catch (error) {
      if (!expired.aborted) throw error;
      terminal.output.write("\nNobody answered in time.\n");
      return;
    }
  } while (problem);
}

/** The parser of text calls knows some sixty formats: it is loaded for the models that need it. */
async function textTools(stream: StreamModel, configuration: AgentConfiguration): Promise<StreamModel> {
  const { withTextTools } = await import("../providers/text-tools/with-text-tools.ts");
  return withTextTools(stream, {
    describeTools: (tools) => describeToolsAsText(tools, configuration),
    newId: () => `call_${newId()}`,
  });
}
