import * as z from "zod/mini";
import { readLines } from "../workspace/read-lines.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { defineTool } from "./define-tool.ts";
import prose from "./read-file.md";
import { refused } from "./refused.ts";
import type { Tool } from "./tool.ts";
import { failed, succeeded } from "./tool-result.ts";

const mostLines = 2_000;
const mostCharacters = 50_000;
const longestLine = 2_000;

const input = z.strictObject({
  path: z.string().check(z.minLength(1), z.describe("The file, from the root of the workspace or absolute.")),
  offset: z._default(
    z.int().check(z.gte(1), z.describe("The first line to read; 1 is the first of the file.")),
    1,
  ),
  limit: z._default(
    z.int().check(z.gte(1), z.lte(mostLines), z.describe("How many lines to read at the most.")),
    mostLines,
  ),
});

export function readFileTool(workspace: Workspace): Tool<z.output<typeof input>> {
  return defineTool({
    id: "read_file",
    name: "Read file",
    description: prose.trim(),
    category: "file_system",
    risk: "safe",
    readOnly: true,
    input,
    summarize: ({ path, offset, limit }) =>
      offset === 1 && limit === mostLines ? `Read ${path}` : `Read ${path} from line ${offset}`,
    async execute({ path, offset, limit }) {
      return refused(async () => {
        const resolved = await workspace.resolve(path);
        await using file = await workspace.openFile(resolved);
        const read = await readLines(file, {
          firstLine: offset,
          mostLines: limit,
          mostCharacters,
          longestLine,
        });
        if ("binary" in read) {
          const { size } = await file.stat();
          return failed(
            `${resolved.relative} is a binary file of ${size} bytes. It cannot be shown as text.`,
          );
        }
        const { lines, nextLine, totalLines } = read;
        if (lines.length === 0) {
          if (totalLines === 0) return succeeded(`${resolved.relative} is empty.`);
          return failed(
            `${resolved.relative} has only ${totalLines} lines. Take a smaller offset than ${offset}.`,
          );
        }
        const numbered = lines.map((line, at) => `${offset + at}\t${line}`).join("\n");
        const more = nextLine === undefined ? "" : `\n\n(More follows. Go on with offset ${nextLine}.)`;
        return succeeded(numbered + more, {
          data: { path: resolved.relative, lines: lines.length, nextLine: nextLine ?? null },
        });
      });
    },
  });
}
