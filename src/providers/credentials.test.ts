import { describe, expect, it } from "vitest";
import { ConfigurationError, keySource, resolveKey } from "./credentials.ts";
import { findPreset } from "./provider-preset.ts";

const anthropic = findPreset("anthropic");
const google = findPreset("google");

/** A command that prints and ends as wanted, in every shell. */
const node = (script: string) => `!"${process.execPath}" -e "${script}"`;

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("nothing was thrown"),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ConfigurationError);
      return String(error);
    },
  );

describe("the key of a provider", () => {
  it("is what settings say, literally", async () => {
    const found = await resolveKey("anthropic", "sk-literal", anthropic, { ANTHROPIC_API_KEY: "sk-env" });
    expect(found).toEqual({ key: "sk-literal", source: "settings" });
  });

  it("comes from the variable that settings name", async () => {
    const found = await resolveKey("mine", "env:MY_KEY", undefined, { MY_KEY: " sk-mine\n" });
    expect(found).toEqual({ key: "sk-mine", source: "MY_KEY" });
  });

  it.each([{}, { MY_KEY: "" }, { MY_KEY: "  \n" }])("is missing when that variable is %j", async (env) => {
    expect(await failure(resolveKey("mine", "env:MY_KEY", undefined, env))).toContain(
      "MY_KEY, which is not set",
    );
    expect(keySource("env:MY_KEY", undefined, env)).toBeUndefined();
  });

  it("is what a command prints, without the line break", async () => {
    const found = await resolveKey("mine", node("console.log('sk-printed')"), undefined, {});
    expect(found).toEqual({ key: "sk-printed", source: "command" });
  });

  it("is not taken from a command that fails, whose words stay unseen", async () => {
    const command = node("console.log('sk-out');console.error('sk-err');process.exit(3)");
    const message = await failure(resolveKey("mine", command, undefined, {}));
    expect(message).toContain(
      "The command for the key of mine failed with status 3. Run it by hand to see why.",
    );
    expect(message).not.toMatch(/sk-/);
  });

  it("is not taken from a command that prints nothing", async () => {
    const message = await failure(resolveKey("mine", node("console.log()"), undefined, {}));
    expect(message).toContain("The command for the key of mine printed nothing.");
  });

  it("is not taken from a command that does not exist", async () => {
    const message = await failure(resolveKey("mine", "!no-such-command-anywhere", undefined, {}));
    expect(message).toMatch(/The command for the key of mine failed with status \d+/);
  });

  it("comes from the provider's own variables, the first that is set", async () => {
    expect(await resolveKey("google", undefined, google, { GOOGLE_API_KEY: "two" })).toEqual({
      key: "two",
      source: "GOOGLE_API_KEY",
    });
    const both = { GEMINI_API_KEY: "one", GOOGLE_API_KEY: "two" };
    expect(await resolveKey("google", undefined, google, both)).toMatchObject({ source: "GEMINI_API_KEY" });
  });

  it("skips a variable that is blank", async () => {
    const env = { GEMINI_API_KEY: " ", GOOGLE_API_KEY: "two\n" };
    expect(await resolveKey("google", undefined, google, env)).toEqual({
      key: "two",
      source: "GOOGLE_API_KEY",
    });
    expect(keySource(undefined, google, env)).toBe("GOOGLE_API_KEY");
    expect(await resolveKey("google", undefined, google, { GEMINI_API_KEY: " " })).toBeUndefined();
  });

  it("is absent where nothing names one", async () => {
    expect(await resolveKey("anthropic", undefined, anthropic, {})).toBeUndefined();
    expect(await resolveKey("ollama", undefined, findPreset("ollama"), {})).toBeUndefined();
  });
});

describe("where a key would come from", () => {
  it.each([
    ["sk-literal", {}, "settings"],
    ["!pass show key", {}, "a command in settings"],
    ["env:MY_KEY", { MY_KEY: "x" }, "MY_KEY"],
    [undefined, { ANTHROPIC_AUTH_TOKEN: "x" }, "ANTHROPIC_AUTH_TOKEN"],
    [undefined, {}, undefined],
  ])("for %j with %j is %j, told without the key", (written, env, expected) => {
    expect(keySource(written, anthropic, env)).toBe(expected);
  });
});
