import { expect, it } from "vitest";
import type { ToolCategory } from "../policy/tool-category.ts";
import { aTool } from "./testing/tools.ts";
import { availableTools, hasWorkspace, type ToolAvailabilityContext } from "./tool-availability.ts";

function tool(id: string, category: ToolCategory, readOnly: boolean) {
  return aTool({ id, category, readOnly });
}

const all = [
  tool("read", "file_system", true),
  tool("write", "file_system", false),
  tool("grep", "search", true),
  tool("shell", "terminal", false),
  tool("jobs", "terminal", true),
  tool("fetch", "network", true),
  tool("todo", "planning", false),
  tool("foreign", "custom", false),
  tool("foreign_read", "custom", true),
];

function without(...removed: string[]): string[] {
  return all.map((one) => one.id).filter((id) => !removed.includes(id));
}

const rows: [string, ToolAvailabilityContext | undefined, string[]][] = [
  ["no context", undefined, without()],
  ["an empty context", {}, without()],
  ["enabledToolIds", { enabledToolIds: ["grep", "read", "no_such"] }, ["read", "grep"]],
  ["an empty enabledToolIds", { enabledToolIds: [] }, []],
  ["disabledToolIds", { disabledToolIds: ["write", "todo"] }, without("write", "todo")],
  [
    "a tool both enabled and disabled",
    { enabledToolIds: ["read", "write"], disabledToolIds: ["write"] },
    ["read"],
  ],
  ["enabledCategories", { enabledCategories: ["search", "network"] }, ["grep", "fetch"]],
  ["no categories", { enabledCategories: [] }, []],
  ["allowTerminalTools: false", { allowTerminalTools: false }, without("shell", "jobs")],
  ["allowNetworkTools: false", { allowNetworkTools: false }, without("fetch")],
  ["allowFileWrites: false", { allowFileWrites: false }, without("write", "foreign")],
  [
    "all switches on",
    { allowTerminalTools: true, allowNetworkTools: true, allowFileWrites: true },
    without(),
  ],
  [
    "a disabled category that is enabled by id",
    { enabledToolIds: ["shell", "read"], allowTerminalTools: false },
    ["read"],
  ],
  [
    "limits that are the policy's business",
    { maxAutoApprovalRiskLevel: "safe", sessionPermissions: [] },
    without(),
  ],
];

it.each(rows)("with %s, these tools are available", (_name, context, ids) => {
  expect(availableTools(all, context).map((one) => one.id)).toEqual(ids);
});

it("knows whether a workspace is open", () => {
  expect(hasWorkspace({ workspacePath: "/w" })).toBe(true);
  expect(hasWorkspace({ workspacePath: "" })).toBe(false);
  expect(hasWorkspace({})).toBe(false);
});
