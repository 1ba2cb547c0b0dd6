import * as z from "zod/mini";
import { applyEdits } from "../workspace/apply-edits.ts";
import { decodeText, encodeText } from "../workspace/text-file.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { defineTool } from "./define-tool.ts";
import prose from "./edit-file.md";
import { detailsOfWriting, resolveForWriting, riskOfWriting } from "./file-risk.ts";
import { refused } from "./refused.ts";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { failed, succeeded } from "./tool-result.ts";
import { diffTexts, shortDiff } from "./unified-diff.ts";

const largestFile = 10 * 1024 * 1024;
const diffShown = 3_000;

const input = z.strictObject({
  path: z.string().check(z.minLength(1), z.describe("The file to change.")),
  edits: z
    .array(
      z.strictObject({
        oldText: z.string().check(z.minLength(1), z.describe("What is there now.")),
        newText: z.string().check(z.describe("What shall be there.")),
        replaceAll: z.exactOptional(z.boolean().check(z.describe("In every place."))),
      }),
    )
    .check(z.minLength(1), z.maxLength(100)),
});

export function editFileTool(workspace: Workspace): Tool<z.output<typeof input>> {
  return defineTool({
    id: "edit_file",
    name: "Edit file",
    description: prose.trim(),
    category: "file_system",
    risk: "medium",
    readOnly: false,
    input,
    riskOf: ({ path }) => riskOfWriting(path),
    summarize: ({ path, edits }) =>
      `Edit ${shownName(path)} (${edits.length} ${edits.length === 1 ? "edit" : "edits"})`,
    detailsOf: ({ path }) => detailsOfWriting(path),
    touches: ({ path }) => [workspace.locate(path)],
    async execute({ path, edits }) {
      return refused(async () => {
        const resolved = await resolveForWriting(workspace, path);
        const name = resolved.relative;
        await using file = await workspace.openFile(resolved);
        if ((await file.stat()).size > largestFile)
          return failed(`${name} is larger than ${largestFile} bytes. Change it with a command.`);
        const old = await file.readFile();
        const decoded = decodeText(old);
        if (!decoded) return failed(`${name} is not text in UTF-8 or UTF-16. Change it with a command.`);
        const edited = applyEdits(decoded.text, edits, decoded.form.lineEnd);
        if (!edited.ok) return failed(`${name} was not changed. ${edited.problem}`);
        const { checkpoint } = await workspace.writeFile(resolved, encodeText(edited.text, decoded.form), {
          over: old,
        });
        const diff = await diffTexts(name, decoded.text, edited.text);
        return succeeded(
          `Changed ${name} (+${diff.added} -${diff.removed}).\n${shortDiff(diff, diffShown)}`,
          {
            data: {
              path: name,
              created: false,
              replaced: edited.replaced,
              diff: diff.unified,
              added: diff.added,
              removed: diff.removed,
              checkpoint: checkpoint ?? null,
            },
          },
        );
      });
    },
  });
}
