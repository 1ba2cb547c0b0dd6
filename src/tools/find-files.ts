import { lstatSync } from "node:fs";
import { resolve, sep } from "node:path";
import * as z from "zod/mini";
import { BadGlob, globMatcher } from "../workspace/glob.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { defineTool } from "./define-tool.ts";
import { riskOfReading } from "./file-risk.ts";
import prose from "./find-files.md";
import { refused } from "./refused.ts";
import { runRipgrep } from "./search/ripgrep.ts";
import { openSearchedFolder } from "./search/searched-folder.ts";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { failed, succeeded } from "./tool-result.ts";

const timeLimitMs = 30_000;
/** What is looked at, also when little of it is shown: the newest of all can be the last one found. */
const mostFound = 50_000;

const input = z.strictObject({
  pattern: z.string().check(z.minLength(1), z.maxLength(1_000), z.describe("The glob.")),
  path: z._default(z.string().check(z.describe("The folder to look in.")), "."),
  sort: z._default(z.enum(["newest", "path"]), "path"),
  limit: z._default(z.int().check(z.gte(1), z.lte(1_000)), 200),
});

export function findFilesTool(workspace: Workspace): Tool<z.output<typeof input>> {
  return defineTool({
    id: "find_files",
    name: "Find files",
    description: prose.trim(),
    category: "search",
    risk: "safe",
    readOnly: true,
    input,
    riskOf: ({ path }) => riskOfReading(path),
    summarize: ({ pattern, path }) => `Find ${shownName(pattern)} in ${shownName(path)}`,
    touches: ({ path }) => [workspace.locate(path)],
    async execute({ pattern, path, sort, limit }, { signal }) {
      return refused(async () => {
        const matches = matcherOf(pattern);
        if (typeof matches === "string") return failed(matches);
        await using searched = await openSearchedFolder(workspace, path);
        const found: string[] = [];
        let secrets = 0;
        const ended = await runRipgrep({
          args: ["--files", "--null", "--hidden", "--glob=!.git", ...searched.ignoreOptions, searched.target],
          folder: searched.folder,
          separator: "\0",
          onRecord: (record) => {
            const file = record.split(sep).join("/").replace(/^\.\//, "");
            if (!matches(file)) return "more";
            const hidden = searched.hiddenAs(file);
            if (hidden === "secret") secrets++;
            if (!hidden) found.push(searched.name(file));
            return found.length < mostFound ? "more" : "enough";
          },
          signal,
          timeLimitMs,
        });
        if (ended.end === "missing") return failed(`${ended.reason} Use list_directory.`);
        const incomplete = ended.end === "finished" ? "" : "The search was stopped before it was complete. ";
        const hiddenNote = secrets > 0 ? `\n(Secret files, not shown: ${secrets})` : "";
        if (found.length === 0)
          return succeeded(`${incomplete}No file in ${searched.place} matches ${pattern}.${hiddenNote}`);
        const sorted = sort === "newest" ? newestFirst(found, workspace.root) : found.sort();
        const shown = sorted.slice(0, limit);
        const rest = found.length - shown.length;
        const more =
          rest > 0 || incomplete ? `\n(${incomplete}${rest} more are not shown. Narrow the pattern.)` : "";
        return succeeded(shown.map(shownName).join("\n") + more + hiddenNote, {
          data: { files: shown, total: found.length },
        });
      });
    },
  });
}

function matcherOf(pattern: string): ((path: string) => boolean) | string {
  try {
    return globMatcher(pattern);
  } catch (error) {
    if (error instanceof BadGlob) return error.message;
    throw error;
  }
}

function newestFirst(files: readonly string[], root: string): readonly string[] {
  const times = new Map(
    files.map((file) => {
      const stat = lstatSync(resolve(root, file), { throwIfNoEntry: false, bigint: true });
      return [file, stat?.mtimeNs ?? 0n] as const;
    }),
  );
  const timeOf = (file: string) => times.get(file) ?? 0n;
  return files.toSorted((a, b) =>
    timeOf(a) === timeOf(b) ? (a < b ? -1 : 1) : timeOf(a) > timeOf(b) ? -1 : 1,
  );
}
