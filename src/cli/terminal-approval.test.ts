import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import type { ApprovalRequestEvent } from "../agent/agent-event.ts";
import { askInTerminal } from "./terminal-approval.ts";

const event: ApprovalRequestEvent = {
  eventId: "1",
  type: "approval_request",
  timestamp: "2026-01-01T00:00:00.000Z",
  requestId: "r",
  iterationNumber: 1,
  request: {
    id: "call",
    toolId: "run_command",
    toolName: "Run command",
    parameters: { command: "npm test" },
    riskLevel: "medium",
    executionSummary: "Run npm test",
    requestedAt: "2026-01-01T00:00:00.000Z",
    iterationNumber: 1,
    validationResult: { isValid: true, errors: [] },
  },
  summary: "Run npm test",
  riskLevel: "medium",
  reason: "It can change something.",
  timeout: 1_000,
};

async function answer(lines: readonly string[], changes: Partial<ApprovalRequestEvent> = {}) {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = "";
  const waiting = [...lines];
  // Each question gets the next line, as from a person who reads before he types.
  output.on("data", (text) => {
    shown += text;
    if (String(text).endsWith("› ")) input.write(`${waiting.shift() ?? ""}\n`);
  });
  const approval = { event: { ...event, ...changes } };
  const decision = await askInTerminal(approval, { input, output }, new AbortController().signal);
  return { decision, shown };
}

describe("an approval in the terminal", () => {
  test.each([
    ["y", { approved: true }],
    ["YES", { approved: true }],
    ["n", { approved: false }],
    ["n not on main", { approved: false, reason: "not on main" }],
    ["s", { approved: true, remember: { scope: "session" } }],
    ["c", { approved: false, reason: "The user cancelled the request.", cancelsRequest: true }],
  ])("takes %s", async (line, expected) => {
    expect((await answer([line])).decision).toEqual(expected);
  });

  test("shows the rules that always would save, and saves no others", async () => {
    const suggestedRules = ["run_command(cd src)", "run_command(npm test *)"];
    const { decision, shown } = await answer(["a"], { suggestedRules });
    expect(shown).toContain("[a]lways run_command(cd src), run_command(npm test *)");
    expect(decision).toEqual({ approved: true, remember: { scope: "pattern", pattern: suggestedRules } });
    expect((await answer(["a", "y"])).decision).toEqual({ approved: true });
  });

  test("asks again after an empty line or a word it does not know", async () => {
    const { decision, shown } = await answer(["", "maybe", "nothing", "n"]);
    expect(decision).toEqual({ approved: false });
    expect(shown.match(/Answer with one of the letters/g)).toHaveLength(3);
  });

  test("takes edited parameters that are JSON, and asks again for others", async () => {
    const { decision, shown } = await answer(["e", "{oops", "e", '{"command":"npm run lint"}']);
    expect(shown).toContain("That is not a JSON object.");
    expect(decision).toEqual({ approved: true, modifiedParameters: { command: "npm run lint" } });
  });

  test("makes every hidden character visible", async () => {
    const { shown } = await answer(["n"], {
      summary: "Run ls \u202e",
      details: ["ls \x1b[2K\rrm -rf ~"],
      warnings: ["\u200b!"],
    });
    expect(shown).toContain("Run ls \\u{202e}");
    expect(shown).toContain("ls \\x1b[2K\\x0drm -rf ~");
    expect(shown).toContain("\\u{200b}!");
  });

  test("ends when the run is stopped", async () => {
    const stop = new AbortController();
    const output = new PassThrough();
    const asked = askInTerminal({ event }, { input: new PassThrough(), output }, stop.signal);
    stop.abort(new Error("stopped"));
    await expect(asked).rejects.toThrow();
  });
});
