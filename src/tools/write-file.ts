import { lstatSync } from "node:fs";
import * as z from "zod/mini";
import { decodeText, encodeText, plainForm, withLineEnds } from "../workspace/text-file.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { PathRefused, type WorkspacePath } from "../workspace/workspace-path.ts";
import { defineTool } from "./define-tool.ts";
import { detailsOfWriting, resolveForWriting, riskOfWriting } from "./file-risk.ts";
import { refused } from "./refused.ts";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { succeeded } from "./tool-result.ts";
import { diffTexts } from "./unified-diff.ts";
import prose from "./write-file.md";

const input = z.strictObject({
  path: z.string().check(z.minLength(1), z.describe("From the root of the workspace, or absolute.")),
  content: z.string().check(z.describe("The whole file.")),
});

export function writeFileTool(workspace: Workspace): Tool<z.output<typeof input>> {
  const exists = (path: string) => {
    try {
      return lstatSync(workspace.locate(path), { throwIfNoEntry: false }) !== undefined;
    } catch {
      return false; // below a file, or not ours to see: writing will say so
    }
  };
  return defineTool({
    id: "write_file",
    name: "Write file",
    description: prose.trim(),
    category: "file_system",
    risk: "medium",
    readOnly: false,
    input,
    riskOf: ({ path }) => riskOfWriting(path),
    summarize: ({ path, content }) =>
      `${exists(path) ? "Overwrite" : "Create"} ${shownName(path)} (${countLines(content)})`,
    detailsOf: ({ path }) => detailsOfWriting(path),
    touches: ({ path }) => [workspace.locate(path)],
    async execute({ path, content }) {
      return refused(async () => {
        const resolved = await resolveForWriting(workspace, path);
        const old = await readOld(workspace, resolved);
        const decoded = old && decodeText(old);
        const form = decoded?.form ?? plainForm;
        // A file keeps its line ends, unless the new text has its own.
        const ending = form.lineEnd === "\r\n" && !content.includes("\r\n");
        const text = (ending ? withLineEnds(content, form.lineEnd) : content).replace(/^\ufeff/, "");
        const { checkpoint } = await workspace.writeFile(
          resolved,
          encodeText(text, form),
          old ? { over: old } : {},
        );
        const diff = await diffTexts(resolved.relative, decoded?.text ?? "", text);
        const what = old
          ? `Replaced ${resolved.relative}: ${countLines(text)} (+${diff.added} -${diff.removed}).`
          : `Created ${resolved.relative}: ${countLines(text)}.`;
        return succeeded(what, {
          data: {
            path: resolved.relative,
            created: old === undefined,
            diff: diff.unified,
            added: diff.added,
            removed: diff.removed,
            checkpoint: checkpoint ?? null,
          },
        });
      });
    },
  });
}

const largestKept = 64 * 1024 * 1024;

async function readOld(workspace: Workspace, path: WorkspacePath): Promise<Buffer | undefined> {
  if (!lstatSync(path.absolute, { throwIfNoEntry: false })) return undefined;
  await using file = await workspace.openFile(path).catch((error: unknown) => {
    // Opening speaks of reading; for a folder the advice is another here.
    if (error instanceof PathRefused && error.message.includes("is a folder"))
      throw new PathRefused(`${path.relative} is a folder, not a file. Give the path of a file.`);
    throw error;
  });
  if ((await file.stat()).size > largestKept)
    throw new PathRefused(`${path.relative} is too large to be replaced here. Use a command.`);
  return await file.readFile();
}

function countLines(text: string): string {
  const lines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return `${lines} ${lines === 1 ? "line" : "lines"}`;
}
