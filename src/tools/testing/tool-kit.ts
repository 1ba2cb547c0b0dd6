import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../model/json.ts";
import type { Tool, ToolContext } from "../tool.ts";
import type { ToolResult } from "../tool-result.ts";

/** Calls a tool as the agent does: through its validation. */
export async function call<Args>(
  tool: Tool<Args>,
  parameters: JsonObject,
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  return tool.execute(argsOf(tool, parameters), {
    callId: "1",
    requestId: "r",
    conversationId: "c",
    signal: new AbortController().signal,
    reportProgress: () => {},
    ...context,
  });
}

export function argsOf<Args>(tool: Tool<Args>, parameters: JsonObject): Args {
  const checked = tool.validate(parameters);
  if (!checked.ok) throw new Error(checked.problems.join("; "));
  return checked.args;
}

export function riskOf<Args>(tool: Tool<Args>, parameters: JsonObject) {
  return tool.riskOf(argsOf(tool, parameters));
}

/** A folder in a folder of its own, so that there is something outside of it. Its real path. */
export class TemporaryFolder implements Disposable {
  readonly above = realpathSync(mkdtempSync(join(tmpdir(), "aintern-tools-")));
  readonly path = join(this.above, "proj");

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    mkdirSync(this.path);
    this.write(files);
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(this.path, name)), { recursive: true });
      writeFileSync(join(this.path, name), content);
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.above, { recursive: true, force: true });
  }
}
