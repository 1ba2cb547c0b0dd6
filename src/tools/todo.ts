import * as z from "zod/mini";
import { defineTool } from "./define-tool.ts";
import prose from "./todo.md";
import type { Tool } from "./tool.ts";
import { succeeded } from "./tool-result.ts";

const input = z.strictObject({
  items: z
    .array(
      z.strictObject({
        text: z.string().check(z.minLength(1), z.maxLength(500)),
        status: z.enum(["pending", "in_progress", "done"]),
      }),
    )
    .check(z.maxLength(100)),
});

export type TodoItem = z.output<typeof input>["items"][number];

const boxes: Readonly<Record<TodoItem["status"], string>> = {
  pending: "[ ]",
  in_progress: "[>]",
  done: "[x]",
};

export function todoTool(): Tool<z.output<typeof input>> {
  return defineTool({
    id: "todo",
    name: "Todo",
    description: prose.trim(),
    category: "planning",
    // The list is in the result and nowhere else.
    risk: "safe",
    readOnly: true,
    input,
    summarize: ({ items }) => {
      const done = items.filter(({ status }) => status === "done").length;
      return `Plan: ${done} of ${items.length} done`;
    },
    touches: () => [],
    async execute({ items }) {
      const list = items
        .map(({ text, status }) => `${boxes[status]} ${text.replace(/\s+/g, " ")}`)
        .join("\n");
      return succeeded(list || "The plan is empty.", { data: { items } });
    },
  });
}
