import type { JsonObject } from "../../model/json.ts";
import { succeeded } from "../../tools/tool-result.ts";
import type { ApprovalRequestEvent } from "../agent-event.ts";
import { askAll, calls, createKit, type KitOptions, runToEnd, says } from "./agent-kit.ts";
import { aTool } from "./tools.ts";

/** A tool that tells what it was run with. */
export function recordingTool() {
  const ran: JsonObject[] = [];
  const tool = aTool({
    id: "write_file",
    readOnly: false,
    risk: "medium",
    run: (args) => {
      ran.push(args);
      return succeeded(`wrote ${args.path}`);
    },
  });
  return { tool, ran };
}

const script = [[calls("write_file", { path: "a" }, "c1")], [says("ok")]];

export function askingKit(options: KitOptions = {}) {
  const { tool, ran } = recordingTool();
  return { ran, ...createKit(script, { tools: [tool], policy: askAll, approver: "events", ...options }) };
}

/** Runs and answers every question with `answer`. */
export function runAnswering(
  kit: ReturnType<typeof askingKit>,
  answer: (event: ApprovalRequestEvent) => unknown,
) {
  return runToEnd(kit.agent, {}, (event) => (event.type === "approval_request" ? answer(event) : undefined));
}
