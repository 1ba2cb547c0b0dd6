import { expect, it } from "vitest";
import { defaultAgentConfiguration as configuration } from "./agent-configuration.ts";
import { buildSystemPrompt, describeToolsAsText } from "./system-prompt.ts";

it("joins the request's prompt and how to use tools", () => {
  const settings = { ...configuration, toolUsePrompt: "Use tools." };
  expect(buildSystemPrompt("Be brief.", settings, true)).toBe("Be brief.\n\nUse tools.");
  expect(buildSystemPrompt(undefined, settings, true)).toBe("Use tools.");
  expect(buildSystemPrompt("Be brief.", settings, false)).toBe("Be brief.");
  expect(buildSystemPrompt("", settings, false)).toBeUndefined();
});

it("describes tools in words, for models that have no other way", () => {
  const text = describeToolsAsText(
    [
      {
        name: "look",
        description: "Looks, costs $& and says {parameters}.",
        inputSchema: { type: "object" },
      },
      { name: "go", description: "Goes.", inputSchema: {} },
    ],
    {
      ...configuration,
      toolDefinitionFormat: "# {name} ({name})\n{description}\n{parameters}",
      toolCallFormat: "Call so.",
    },
  );
  expect(text).toBe(
    "Available tools:\n\n" +
      '# look (look)\nLooks, costs $& and says {parameters}.\n{\n  "type": "object"\n}\n\n' +
      "# go (go)\nGoes.\n{}\n\n" +
      "Call so.",
  );
});

it("says nothing of tools when there are none", () => {
  expect(describeToolsAsText([], configuration)).toBe("");
});
