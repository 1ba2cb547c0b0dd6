import * as z from "zod/mini";
import type { Workspace } from "../workspace/workspace.ts";
import { defineTool } from "./define-tool.ts";
import { riskOfReading } from "./file-risk.ts";
import { refused } from "./refused.ts";
import { type RipgrepEnd, runRipgrep } from "./search/ripgrep.ts";
import { type FoundLine, parseRipgrepMessage } from "./search/ripgrep-message.ts";
import { openSearchedFolder, type SearchedFolder } from "./search/searched-folder.ts";
import prose from "./search-text.md";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { failed, succeeded, type ToolResult } from "./tool-result.ts";

const timeLimitMs = 30_000;
const mostCharacters = 40_000;

const input = z.strictObject({
  pattern: z.string().check(z.minLength(1), z.maxLength(10_000), z.describe("A regular expression (Rust).")),
  path: z._default(z.string().check(z.describe("Folder or file.")), "."),
  literal: z._default(z.boolean().check(z.describe("Take the pattern as plain text.")), false),
  ignoreCase: z._default(z.boolean(), false),
  glob: z.exactOptional(z.string().check(z.maxLength(1_000), z.describe("Only such files: *.{ts,tsx}"))),
  context: z._default(z.int().check(z.gte(0), z.lte(20), z.describe("Lines around each match.")), 0),
  limit: z._default(z.int().check(z.gte(1), z.lte(1_000), z.describe("Most matches.")), 100),
});

type SearchArgs = z.output<typeof input>;

export function searchTextTool(workspace: Workspace): Tool<SearchArgs> {
  return defineTool({
    id: "search_text",
    name: "Search text",
    description: prose.trim(),
    category: "search",
    risk: "safe",
    readOnly: true,
    input,
    riskOf: ({ path }) => riskOfReading(path),
    summarize: ({ pattern, path, glob }) =>
      `Search ${JSON.stringify(pattern)} in ${shownName(path)}${glob ? ` (${shownName(glob)})` : ""}`,
    touches: ({ path }) => [workspace.locate(path)],
    async execute(args, { signal }) {
      return refused(async () => {
        await using searched = await openSearchedFolder(workspace, args.path);
        const findings = new Findings(args.limit);
        const ended = await runRipgrep({
          args: [...optionsOf(args, searched), "--", searched.target],
          folder: searched.folder,
          separator: "\n",
          onRecord: (record, isWhole) => {
            const found = parseRipgrepMessage(record, isWhole);
            if (!found || searched.hiddenAs(found.path)) return "more";
            return findings.add({ ...found, path: searched.name(found.path) });
          },
          signal,
          timeLimitMs,
        });
        return resultOf(args, searched, findings, ended);
      });
    },
  });
}

/** Every pattern comes with its option, so that none is taken for one. */
function optionsOf(args: SearchArgs, { ignoreOptions }: SearchedFolder): readonly string[] {
  const multiline = args.literal ? args.pattern.includes("\n") : /\n|\\n/.test(args.pattern);
  return [
    "--json",
    "--hidden",
    "--max-filesize=50M",
    ...ignoreOptions,
    ...(args.glob === undefined ? [] : [`--glob=${args.glob}`]),
    // The last one wins.
    "--glob=!.git",
    ...(args.literal ? ["--fixed-strings"] : []),
    ...(args.ignoreCase ? ["--ignore-case"] : []),
    ...(multiline ? ["--multiline"] : []),
    `--context=${args.context}`,
    `--regexp=${args.pattern}`,
  ];
}

function resultOf(
  { pattern, literal, limit }: SearchArgs,
  { place, isFile }: SearchedFolder,
  findings: Findings,
  ended: RipgrepEnd,
): ToolResult {
  if (ended.end === "missing") return failed(`${ended.reason} Use run_command with grep.`);
  // Status 2 with findings means that some file could not be read.
  if (ended.end === "finished" && ended.code === 2 && findings.matches === 0 && ended.errors !== "") {
    const hint = literal ? "" : " To search for the text as it is, set literal.";
    return failed(`The search failed: ${ended.errors.trim()}${hint}`);
  }
  const note =
    ended.end === "timed_out"
      ? `(Stopped after ${timeLimitMs / 1_000} s. Search a smaller folder.)`
      : ended.end === "enough"
        ? `(Stopped at ${findings.matches} ${findings.matches >= limit ? "matches" : "matches, which fill the answer"}. Narrow the pattern, path or glob.)`
        : "";
  if (findings.matches === 0) {
    // The same words whether a secret file would match or not.
    const leftOut = isFile ? "" : "Ignored and secret files were not searched.";
    const none = `No matches for ${JSON.stringify(pattern)} in ${place}.`;
    return succeeded([none, leftOut, note].filter(Boolean).join(" "));
  }
  return succeeded([findings.text(), note].filter(Boolean).join("\n\n"), {
    data: { matches: findings.matches, files: findings.files, complete: ended.end === "finished" },
  });
}

/** The lines by file; bounded while they come in. */
class Findings {
  matches = 0;
  readonly #limit: number;
  readonly #lines = new Map<string, FoundLine[]>();
  #characters = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(found: FoundLine): "more" | "enough" {
    if (found.isMatch && this.matches >= this.#limit) return "enough";
    this.#characters += found.text.length + 8;
    if (this.#characters > mostCharacters) return "enough";
    const lines = this.#lines.get(found.path);
    if (lines) lines.push(found);
    else this.#lines.set(found.path, [found]);
    if (found.isMatch) this.matches++;
    return "more";
  }

  get files(): number {
    return this.#lines.size;
  }

  /** Ripgrep searches side by side, so the files come in any order. */
  text(): string {
    const files = [...this.#lines].sort(([a], [b]) => (a < b ? -1 : 1));
    return files
      .map(([path, lines]) => `${shownName(path)}\n${lines.map(shownLine).join("\n")}`)
      .join("\n\n");
  }
}

function shownLine({ line, text, isMatch }: FoundLine): string {
  if (line === undefined) return text;
  const [first = "", ...rest] = text.split("\n");
  return [
    `${line}${isMatch ? ":" : "-"} ${first}`,
    ...rest.map((more, at) => `${line + at + 1}: ${more}`),
  ].join("\n");
}
