import { expect, it } from "vitest";
import { loadShellParser } from "./shell-parser.ts";

it("says why it cannot be loaded, tries again at the next call, and is loaded once", async () => {
  const readWasm = () => Promise.reject(new Error("no such file"));
  await expect(loadShellParser({ readWasm })).rejects.toThrow(
    "No command can be judged: the shell parser cannot be loaded. no such file",
  );
  const parser = await loadShellParser();
  expect(await loadShellParser({ readWasm })).toBe(parser);
  expect(parser.parse("ls && rm x").children.map(({ type }) => type)).toEqual(["list"]);
});
