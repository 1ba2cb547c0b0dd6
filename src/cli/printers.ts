import { styleText } from "node:util";
import type { AgentEvent } from "../agent/agent-event.ts";
import type { OutputFormat } from "./arguments.ts";
import { endsWithoutAnswer } from "./run-ended.ts";
import type { StandardOutput } from "./standard-output.ts";
import { visibleText } from "./visible-text.ts";

/** Shows a run in one of the output formats. */
export type Printer = {
  readonly print: (event: AgentEvent) => void;
  readonly end: () => void;
};

export function createPrinter(format: OutputFormat, output: StandardOutput, model: string): Printer {
  switch (format) {
    case "text":
      return textPrinter(output);
    case "json":
      return resultPrinter(output, model);
    case "stream-json":
      return eventPrinter(output);
  }
}

/** The model's words as they come; an empty line sets the answers of one run apart. What it does is told beside. */
function textPrinter(output: StandardOutput): Printer {
  let spoken = false;
  let newAnswer = false;
  return {
    print(event) {
      if (event.type === "agent_iteration") newAnswer = spoken;
      if (event.type === "tool_execution" && event.status === "starting") {
        tell(output, event.statusMessage ?? event.toolName);
      }
      if (event.type === "tool_result" && !event.result.ok) {
        const denied = event.permission?.allowed === false ? event.permission.reason : undefined;
        tell(
          output,
          `${event.toolName} ${denied ? `was not allowed: ${denied}` : `failed: ${event.result.content}`}`,
        );
      }
      if (event.type !== "text_generation" || event.isThinking || event.token === "") return;
      if (newAnswer) {
        output.endLine();
        output.write("\n");
      }
      newAnswer = false;
      spoken = true;
      output.write(event.token);
    },
    end: () => output.endLine(),
  };
}

/** For somebody who watches; scripts get the answer alone. */
function tell(output: StandardOutput, line: string): void {
  if (!process.stderr.isTTY) return;
  if (process.stdout.isTTY) output.endLine();
  process.stderr.write(`${styleText("dim", `· ${shortLine(line)}`)}\n`);
}

function shortLine(text: string): string {
  const line = visibleText(text).replaceAll(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

/** One object at the end. */
function resultPrinter(output: StandardOutput, model: string): Printer {
  let error: Extract<AgentEvent, { type: "agent_error" }> | undefined;
  return {
    print(event) {
      if (event.type === "agent_error" && endsWithoutAnswer(event)) error = event;
      if (event.type !== "agent_complete") return;
      const { reason, finalResponse, usage, toolUsage, totalIterations, totalDuration, requestId } = event;
      const result = {
        type: "result",
        ok: reason === "finished" && !error,
        reason,
        text: finalResponse,
        model,
        usage,
        toolUsage,
        iterations: totalIterations,
        durationMs: totalDuration,
        requestId,
        ...(error && { error: { code: error.errorCode, message: error.error, hint: error.recoveryHint } }),
      };
      output.write(`${JSON.stringify(result)}\n`);
    },
    end: () => output.flush(),
  };
}

/** Every event, one a line: `docs/events.md`. */
function eventPrinter(output: StandardOutput): Printer {
  return {
    print: (event) => output.write(`${JSON.stringify(event)}\n`),
    end: () => output.flush(),
  };
}
