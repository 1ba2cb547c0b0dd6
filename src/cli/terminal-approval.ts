import { createInterface, type Interface } from "node:readline/promises";
import { styleText } from "node:util";
import type { ApprovalRequestEvent } from "../agent/agent-event.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ApprovalDecision } from "../policy/approval-decision.ts";
import { visibleText } from "./visible-text.ts";

export type Terminal = { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream };

export type TerminalApproval = {
  readonly event: ApprovalRequestEvent;
  /** Why the last answer could not be taken. */
  readonly problem?: string | undefined;
};

/** Shows what is to be done, everything of it visible, and asks until there is an answer. */
export async function askInTerminal(
  approval: TerminalApproval,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const { input, output } = terminal;
  const lines = createInterface({ input, output, terminal: "isTTY" in output && output.isTTY === true });
  // While a line is edited the terminal does not send the signal itself.
  lines.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
  try {
    return await ask(approval, lines, output, signal);
  } finally {
    lines.close();
  }
}

async function ask(
  { event, problem }: TerminalApproval,
  lines: Interface,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  output.write(problem ? `${visibleText(problem)}\n` : describe(event));
  const rules = event.suggestedRules ?? [];
  const always = rules.length > 0 ? `[a]lways ${visibleText(rules.join(", "))}  ` : "";
  const choices = `[y]es  [n]o  [s]ession  ${always}[e]dit  [c]ancel`;
  for (;;) {
    const answer = (await lines.question(`${choices} › `, { signal })).trim();
    const decision = readAnswer(answer, rules);
    if (decision) return decision;
    if (/^e(dit)?$/i.test(answer)) {
      const edited = await edit(event.request.parameters, lines, output, signal);
      if (edited) return { approved: true, modifiedParameters: edited };
    } else output.write("Answer with one of the letters; after n you may say why.\n");
  }
}

/** "n it would delete my notes" denies with a reason that the model reads. */
function readAnswer(answer: string, rules: readonly string[]): ApprovalDecision | undefined {
  const no = /^no?(?:\s+(.+))?$/i.exec(answer);
  if (no) return { approved: false, ...(no[1] && { reason: no[1] }) };
  switch (answer.toLowerCase()) {
    case "y":
    case "yes":
      return { approved: true };
    case "s":
    case "session":
      return { approved: true, remember: { scope: "session" } };
    case "a":
    case "always":
      return rules.length > 0
        ? { approved: true, remember: { scope: "pattern", pattern: [...rules] } }
        : undefined;
    case "c":
    case "cancel":
      return { approved: false, reason: "The user cancelled the request.", cancelsRequest: true };
    default:
      return undefined;
  }
}

function describe(event: ApprovalRequestEvent): string {
  const { summary, riskLevel, reason, details = [], warnings = [], request } = event;
  const body = details.length > 0 ? details : [JSON.stringify(request.parameters, undefined, 2)];
  return [
    "",
    `${styleText("bold", visibleText(summary))}  (${riskLevel} risk)`,
    ...body.flatMap((text) =>
      visibleText(text)
        .split("\n")
        .map((line) => `  ${line}`),
    ),
    ...warnings.map((warning) => styleText("red", `! ${visibleText(warning)}`)),
    styleText("dim", visibleText(reason)),
    "",
  ].join("\n");
}

/** One line of JSON to change; an empty one goes back to the question. */
async function edit(
  parameters: JsonObject,
  lines: Interface,
  output: NodeJS.WritableStream,
  signal: AbortSignal,
): Promise<JsonObject | undefined> {
  const asked = lines.question("parameters › ", { signal });
  if (lines.terminal) lines.write(JSON.stringify(parameters));
  const written = await asked;
  if (written.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(written);
    if (isJsonObject(value)) return value;
  } catch {
    // not JSON: said below
  }
  output.write("That is not a JSON object.\n");
  return undefined;
}
