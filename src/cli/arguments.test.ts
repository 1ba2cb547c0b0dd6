import { describe, expect, test } from "vitest";
import { parseArguments, UsageError } from "./arguments.ts";

const problem = (...argv: string[]) => {
  try {
    parseArguments(argv);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  return expect.fail("it was understood");
};
const promptOf = (...argv: string[]) => {
  const parsed = parseArguments(argv);
  return parsed.command === "ask" ? parsed.prompt : { command: parsed.command };
};

describe("the command line", () => {
  test("is a prompt with options in any place", () => {
    expect(parseArguments(["-m", "a/b", "Say", "hello", "--output-format=json", "-y"])).toEqual({
      command: "ask",
      prompt: "Say hello",
      print: false,
      model: "a/b",
      outputFormat: "json",
      systemPrompt: undefined,
      yes: true,
      allow: [],
      deny: [],
      addDirs: [],
    });
  });

  test("takes what stands behind -- as it is, and - as standard input", () => {
    expect(promptOf("--", "--help")).toBe("--help");
    expect(promptOf("--", "models")).toBe("models");
    expect(promptOf("-p", "models")).toBe("models");
    expect(promptOf("-")).toBe("");
  });

  test("knows its commands, also as words", () => {
    expect(promptOf("models")).toEqual({ command: "models" });
    expect(parseArguments(["models", "--json"])).toEqual({ command: "models", json: true });
    expect(promptOf("help")).toEqual({ command: "help" });
    expect(promptOf("version")).toEqual({ command: "version" });
    expect(promptOf("models", "of", "the", "moon")).toBe("models of the moon");
  });

  test("takes rules, and actions on them", () => {
    expect(parseArguments(["policy"])).toMatchObject({ command: "policy", action: "list", words: [] });
    expect(
      parseArguments(["policy", "explain", "git push --force", "--deny", "a", "--deny=b"]),
    ).toMatchObject({
      action: "explain",
      words: ["git push --force"],
      deny: ["a", "b"],
    });
    expect(promptOf("policy", "of", "this", "repository")).toBe("policy of this repository");
  });

  test("asks back when a word is probably misspelt", () => {
    expect(problem("modles")).toBe("Did you mean: aintern models   To ask a model: aintern -p modles");
    expect(problem("--verison")).toBe("There is no option --verison. Did you mean --version?");
    expect(problem("--ouput-format", "json")).toContain("Did you mean --output-format?");
    expect(promptOf("hello")).toBe("hello");
  });

  test("says what is wrong", () => {
    expect(problem("- item")).toContain("A prompt that begins with a dash goes behind --.");
    expect(problem("-m")).toBe("--model needs a value.");
    expect(problem("--output-format", "yaml", "x")).toBe(
      '"yaml" is not an output format. There are text, json, stream-json.',
    );
  });
});
