import { describe, expect, it } from "vitest";
import { guessedValue, typedValue } from "./typed-value.ts";

describe("a value by its schema", () => {
  it.each([
    ["42", { type: "integer" }, 42],
    ["007", { type: "integer" }, 7],
    ["5.0", { type: "integer" }, 5],
    ["5.5", { type: "integer" }, "5.5"],
    ["1e3", { type: "number" }, 1000],
    ["True", { type: "boolean" }, true],
    ["yes", { type: ["boolean", "string"] }, "yes"],
    ["null", { type: "string" }, "null"],
    ["null", { type: ["string", "null"] }, null],
    ["42", { type: "string" }, "42"],
    ["42", { anyOf: [{ type: "integer" }, { type: "null" }] }, 42],
    ["{'a': 1,}", { type: "object" }, { a: 1 }],
    ['[{\\"a\\": 1}]', { type: "array" }, [{ a: 1 }]],
    ["[1, 2", { type: "array" }, "[1, 2"],
    ["celsius", { enum: ["celsius", "fahrenheit"] }, "celsius"],
    ["2", { enum: [1, 2] }, 2],
    ["anything", {}, "anything"],
  ])("reads %j by %j", (raw, schema, value) => {
    expect(typedValue(raw, schema)).toEqual(value);
  });

  it("follows references into the tool's own definitions", () => {
    const root = { $defs: { Place: { type: "object" } } };
    expect(typedValue('{"city": "Oslo"}', { $ref: "#/$defs/Place" }, root)).toEqual({ city: "Oslo" });
  });

  it("is guessed without one: JSON if it is JSON", () => {
    expect(guessedValue(" [1] ")).toEqual([1]);
    expect(guessedValue("02134")).toBe("02134");
  });
});
