import type { FileHandle } from "node:fs/promises";
import * as z from "zod/mini";
import { readLines } from "../workspace/read-lines.ts";
import type { Workspace } from "../workspace/workspace.ts";
import type { WorkspacePath } from "../workspace/workspace-path.ts";
import { defineTool } from "./define-tool.ts";
import { detailsOfReading, resolveForReading, riskOfReading } from "./file-risk.ts";
import { imageSignatureLength, imageType } from "./image-type.ts";
import prose from "./read-file.md";
import { refused } from "./refused.ts";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { failed, succeeded, type ToolResult } from "./tool-result.ts";

const mostLines = 2_000;
const mostCharacters = 50_000;
const longestLine = 2_000;
const largestImage = 5 * 1024 * 1024;

const input = z.strictObject({
  path: z.string().check(z.minLength(1), z.describe("From the root of the workspace, or absolute.")),
  offset: z._default(z.int().check(z.gte(1), z.lte(1e9), z.describe("First line to read.")), 1),
  limit: z._default(z.int().check(z.gte(1), z.lte(mostLines), z.describe("Most lines to read.")), mostLines),
});

export type ReadFileOptions = {
  /** Whether the model can see. */
  readonly images?: boolean;
};

export function readFileTool(
  workspace: Workspace,
  { images = false }: ReadFileOptions = {},
): Tool<z.output<typeof input>> {
  return defineTool({
    id: "read_file",
    name: "Read file",
    description: prose.trim(),
    category: "file_system",
    risk: "safe",
    readOnly: true,
    input,
    riskOf: ({ path }) => riskOfReading(path),
    summarize: ({ path, offset, limit }) =>
      offset === 1 && limit === mostLines
        ? `Read ${shownName(path)}`
        : `Read ${shownName(path)} from line ${offset}`,
    detailsOf: ({ path }) => detailsOfReading(path),
    touches: ({ path }) => [workspace.locate(path)],
    async execute({ path, offset, limit }) {
      return refused(async () => {
        const resolved = await resolveForReading(workspace, path);
        await using file = await workspace.openFile(resolved);
        const start = Buffer.alloc(imageSignatureLength);
        await file.read(start, 0, start.length, 0);
        const mediaType = imageType(start);
        if (mediaType) return await readImage(resolved, file, mediaType, images);
        return await readText(workspace, resolved, file, { offset, limit });
      });
    },
  });
}

async function readText(
  workspace: Workspace,
  path: WorkspacePath,
  file: FileHandle,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<ToolResult> {
  // Before it is read: should it change in between, the next write is refused rather than wrong.
  await workspace.remember(path, file);
  const read = await readLines(file, { firstLine: offset, mostLines: limit, mostCharacters, longestLine });
  if ("binary" in read) {
    const { size } = await file.stat();
    return failed(`${path.relative} is a binary file of ${size} bytes. It cannot be shown as text.`);
  }
  const { lines, nextLine, totalLines } = read;
  if (lines.length === 0) {
    if (totalLines === 0) return succeeded(`${path.relative} is empty.`);
    return failed(`${path.relative} has only ${totalLines} lines. Take a smaller offset than ${offset}.`);
  }
  const numbered = lines.map((line, at) => `${offset + at}\t${line}`).join("\n");
  const more = nextLine === undefined ? "" : `\n\n(More follows. Go on with offset ${nextLine}.)`;
  return succeeded(numbered + more, {
    data: { path: path.relative, lines: lines.length, nextLine: nextLine ?? null },
  });
}

async function readImage(
  { relative }: WorkspacePath,
  file: FileHandle,
  mediaType: string,
  canSee: boolean,
): Promise<ToolResult> {
  const { size } = await file.stat();
  const what = `${relative} is an image (${mediaType}, ${size} bytes)`;
  if (!canSee) return failed(`${what}, and the model in use cannot see images.`);
  if (size > largestImage)
    return failed(`${what}: more than the ${largestImage} bytes that can be shown. Make it smaller first.`);
  const content = await file.readFile();
  return succeeded(`${what}.`, {
    images: [{ type: "image", mediaType, data: content.toString("base64") }],
    data: { path: relative, mediaType, bytes: size },
  });
}
