import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ConfigurationError } from "../credentials.ts";
import { openModel } from "../open-model.ts";

describe("the package", () => {
  const refused = async (promise: Promise<unknown>) => {
    const error = await promise.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    return String(error);
  };

  async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "config-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    return folder;
  }

  const openIn = (folder: string, name: string) =>
    openModel("mine/m", {
      providers: { mine: { type: "ai-sdk", package: name } },
      env: {},
      configFolder: folder,
    });

  it("that is not installed is named, with the command that installs it", async () => {
    const folder = await folderWith({ "settings.json": "{}" });
    expect(await refused(openIn(folder, "@ai-sdk/cohere"))).toContain(
      `The provider "mine" needs @ai-sdk/cohere. Install it with: npm install --prefix ${folder} @ai-sdk/cohere`,
    );
  });

  it.each([
    "./evil.js",
    "../evil.js",
    "..",
    ".",
    "/etc/passwd",
    "@scope/../../evil",
    "@scope/..",
    "@../evil",
    "a/../../evil",
    "file:///tmp/evil.js",
    "data:text/javascript,throw",
    "C:\\evil",
    "fs",
    "node:fs",
    "",
    "%2e%2e/evil",
  ])("cannot be %j", async (name) => {
    const folder = await folderWith({
      "evil.js": "globalThis.loadedEvil = true; export const createEvil = () => {};",
      "node_modules/.keep": "",
      "node_modules/index.js": "globalThis.loadedEvil = true;",
    });
    await refused(openIn(folder, name));
    expect(globalThis).not.toHaveProperty("loadedEvil");
  });

  it("is not taken from a folder above, nor from the working directory", async () => {
    const folder = await folderWith({
      "node_modules/above/package.json": '{"main":"index.js"}',
      "node_modules/above/index.js": "globalThis.loadedAbove = true;",
      "config/node_modules/.keep": "",
      // A husk of the same name: Node would walk on to the one above.
      "config/node_modules/husk/package.json": "{}",
      "node_modules/husk/package.json": '{"main":"index.js"}',
      "node_modules/husk/index.js": "globalThis.loadedAbove = true;",
    });
    await refused(openIn(join(folder, "config"), "above"));
    await refused(openIn(join(folder, "config"), "husk"));
    // This test runs in the repository, whose node_modules holds vitest.
    await refused(openIn(join(folder, "config"), "vitest"));
    expect(globalThis).not.toHaveProperty("loadedAbove");
  });

  it("may be a link to where the user's package manager keeps it", async () => {
    const store = await folderWith({
      "linked/package.json": '{"main":"index.js","type":"module"}',
      "linked/index.js": "export const createLinked = () => () => ({ doStream() {} });",
    });
    const folder = await folderWith({ "node_modules/.keep": "" });
    await symlink(join(store, "linked"), join(folder, "node_modules", "linked"), "dir");
    expect(await openIn(folder, "linked")).toMatchObject({ provider: "mine", id: "m" });
  });

  it("that is none of the AI SDK's is refused by what it lacks", async () => {
    const folder = await folderWith({
      "node_modules/plain/package.json": '{"main":"index.js","type":"module"}',
      "node_modules/plain/index.js": "export const hello = 1;",
      "node_modules/hollow/package.json": '{"main":"index.js","type":"module"}',
      "node_modules/hollow/index.js": "export const createHollow = () => () => ({});",
    });
    expect(await refused(openIn(folder, "plain"))).toContain("plain is not an AI SDK provider package");
    expect(await refused(openIn(folder, "hollow"))).toContain('hollow gave no language model for "m"');
  });

  it("is the only one that is loaded", async () => {
    const loads = (name: string) =>
      `(globalThis.loadedPackages ??= []).push("${name}"); export const createIt = () => () => ({ doStream() {} });`;
    const folder = await folderWith({
      "node_modules/wanted/package.json": '{"main":"index.js","type":"module"}',
      "node_modules/wanted/index.js": loads("wanted"),
      "node_modules/other/package.json": '{"main":"index.js","type":"module"}',
      "node_modules/other/index.js": loads("other"),
    });
    const providers = {
      mine: { type: "ai-sdk", package: "wanted" },
      theirs: { type: "ai-sdk", package: "other" },
    } as const;
    await openModel("mine/m", { providers, env: {}, configFolder: folder });
    expect(globalThis).toHaveProperty("loadedPackages", ["wanted"]);
  });
});
