import { expect, it } from "vitest";
import * as z from "zod/mini";
import { defineTool } from "./define-tool.ts";
import { ToolRegistrationError, ToolRegistry } from "./tool-registry.ts";
import { succeeded } from "./tool-result.ts";

function named(id: string, name = id) {
  return defineTool({
    id,
    name,
    description: "",
    category: "custom",
    risk: "safe",
    readOnly: true,
    input: z.object({}),
    execute: async () => succeeded(""),
  });
}

it("finds tools by id and lists them in order", () => {
  const registry = new ToolRegistry([named("a"), named("b")]);
  registry.add(named("c"));
  expect(registry.get("b")?.id).toBe("b");
  expect(registry.get("d")).toBeUndefined();
  expect(registry.list().map((tool) => tool.id)).toEqual(["a", "b", "c"]);
});

it.each([
  ["read_file", "Something"],
  ["Read_File", "Something"],
  ["read-file", "Something"],
  ["readfile", "Something"],
  ["other", "Read file"],
  ["other", "read\u200b file"],
  ["other", "Ｒｅａｄ　ｆｉｌｅ"],
])("refuses a foreign tool %s (%s) that could pass for a built-in one", (id, name) => {
  const registry = new ToolRegistry([named("read_file", "Read file")]);
  expect(() => registry.add(named(id, name))).toThrow(ToolRegistrationError);
  expect(registry.list()).toHaveLength(1);
});

it("refuses a second foreign tool of the same name until the first is gone", () => {
  const registry = new ToolRegistry();
  const first = registry.add(named("weather"));
  expect(() => registry.add(named("weather"))).toThrow('"weather" is the name of weather');
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  registry.add(named("weather"));
  expect(registry.list()).toHaveLength(1);
});

it("keeps a newer tool when an older one of the same id is disposed twice", () => {
  const registry = new ToolRegistry();
  const first = registry.add(named("weather"));
  first[Symbol.dispose]();
  const second = named("weather");
  registry.add(second);
  first[Symbol.dispose]();
  expect(registry.get("weather")).toBe(second);
});

it.each(["", "a b", "a/b", "ä", "x".repeat(65)])("refuses the id %j", (id) => {
  expect(() => new ToolRegistry([named(id, "x")])).toThrow(ToolRegistrationError);
});

it.each(["toString", "__proto__", "constructor"])("treats %s as an ordinary id", (id) => {
  const registry = new ToolRegistry();
  expect(registry.get(id)).toBeUndefined();
  registry.add(named(id));
  expect(registry.get(id)?.id).toBe(id);
});
