import { type Dirent, opendirSync } from "node:fs";
import { lstat, readlink } from "node:fs/promises";
import { join, relative } from "node:path";
import * as z from "zod/mini";
import type { IgnoreRules } from "../workspace/ignore-rules.ts";
import { OpenFolder } from "../workspace/open-folder.ts";
import { isSecretPath } from "../workspace/secret-path.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { isInside, PathRefused } from "../workspace/workspace-path.ts";
import { defineTool } from "./define-tool.ts";
import { resolveForReading, riskOfReading } from "./file-risk.ts";
import prose from "./list-directory.md";
import { refused } from "./refused.ts";
import { shownName } from "./shown-name.ts";
import type { Tool } from "./tool.ts";
import { succeeded } from "./tool-result.ts";

const mostEntries = 500;
/** A folder of a million files must neither fill the memory nor take for ever to sort. */
const mostRead = 10_000;
const notEntered = new Set([".git", "node_modules"]);

const input = z.strictObject({
  path: z._default(z.string().check(z.describe("A folder.")), "."),
  depth: z._default(z.int().check(z.gte(1), z.lte(5), z.describe("Levels to show.")), 1),
});

export function listDirectoryTool(workspace: Workspace): Tool<z.output<typeof input>> {
  return defineTool({
    id: "list_directory",
    name: "List directory",
    description: prose.trim(),
    category: "file_system",
    risk: "safe",
    readOnly: true,
    input,
    riskOf: ({ path }) => riskOfReading(path),
    summarize: ({ path }) => `List ${shownName(path)}`,
    touches: ({ path }) => [workspace.locate(path)],
    async execute({ path, depth }, { signal }) {
      return refused(async () => {
        const resolved = await resolveForReading(workspace, path);
        const rules = workspace.ignoreRules();
        const listing = new Listing(workspace, depth, signal, {
          // Whoever asks for an ignored or a secret folder by name wants to see what is in it.
          rules: rules.ignores(resolved.absolute, true) ? undefined : rules,
          showSecrets: isSecretPath(resolved.relative),
        });
        await listing.add(resolved.absolute, "");
        const notes = listing.notes();
        if (listing.lines.length === 0) notes.unshift(`${resolved.relative} is empty.`);
        return succeeded([...listing.lines, ...notes].join("\n"));
      });
    },
  });
}

type Hiding = { readonly rules: IgnoreRules | undefined; readonly showSecrets: boolean };

class Listing {
  readonly lines: string[] = [];
  readonly #workspace: Workspace;
  readonly #depth: number;
  readonly #signal: AbortSignal;
  readonly #hiding: Hiding;
  readonly #ignored: string[] = [];
  #secrets = 0;
  #more = false;

  constructor(workspace: Workspace, depth: number, signal: AbortSignal, hiding: Hiding) {
    this.#workspace = workspace;
    this.#depth = depth;
    this.#signal = signal;
    this.#hiding = hiding;
  }

  notes(): string[] {
    const ignored = this.#ignored.slice(0, 10).join(", ") + (this.#ignored.length > 10 ? ", …" : "");
    return [
      ...(this.#more ? ["(There is more. List a folder below, or with less depth.)"] : []),
      ...(ignored === "" ? [] : [`(Ignored, not shown: ${ignored})`]),
      ...(this.#secrets > 0 ? [`(Secret files, not shown: ${this.#secrets})`] : []),
    ];
  }

  async add(folder: string, indent: string): Promise<void> {
    this.#signal.throwIfAborted();
    await using open = await openFolder(folder);
    for (const entry of this.#entries(open)) {
      if (this.lines.length >= mostEntries) {
        this.#more = true;
        return;
      }
      const path = join(folder, entry.name);
      if (this.#isHidden(path, entry)) continue;
      this.lines.push(indent + (await describe(entry, open, path, this.#workspace.root)));
      const deeper =
        indent.length / 2 + 1 < this.#depth && entry.isDirectory() && !notEntered.has(entry.name);
      if (deeper) await this.add(path, `${indent}  `);
    }
  }

  #isHidden(path: string, entry: Dirent): boolean {
    const isFolder = entry.isDirectory();
    if (!this.#hiding.showSecrets && isSecretPath(relative(this.#workspace.root, path))) {
      this.#secrets++;
      return true;
    }
    if (!this.#hiding.rules?.ignores(path, isFolder)) return false;
    this.#ignored.push(shownName(relative(this.#workspace.root, path)) + (isFolder ? "/" : ""));
    return true;
  }

  #entries(folder: OpenFolder): Dirent[] {
    const entries: Dirent[] = [];
    const directory = opendirSync(folder.path);
    try {
      for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
        if (entries.length >= mostRead) {
          this.#more = true;
          break;
        }
        entries.push(entry);
      }
    } finally {
      directory.closeSync();
    }
    return entries.sort(
      (a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || (a.name < b.name ? -1 : 1),
    );
  }
}

async function openFolder(folder: string): Promise<OpenFolder> {
  try {
    return await OpenFolder.open(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") throw new PathRefused("This folder does not exist.");
    if (code === "ENOTDIR") throw new PathRefused("This is a file, not a folder. Read it instead.");
    if (code === "EACCES" || code === "EPERM")
      throw new PathRefused("This folder may not be read: permission denied.");
    throw error;
  }
}

async function describe(entry: Dirent, folder: OpenFolder, path: string, root: string): Promise<string> {
  const name = shownName(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} -> ${await linkTarget(path, root)}`;
  if (!entry.isFile()) return `${name} (not a file)`;
  try {
    return `${name} (${(await lstat(join(folder.path, entry.name))).size} bytes)`;
  } catch {
    return name; // gone in the meantime
  }
}

async function linkTarget(path: string, root: string): Promise<string> {
  try {
    const target = await readlink(path);
    return isInside(root, join(path, "..", target)) && !target.startsWith("/")
      ? JSON.stringify(target)
      : "outside of the workspace";
  } catch {
    return "nothing"; // gone in the meantime
  }
}
