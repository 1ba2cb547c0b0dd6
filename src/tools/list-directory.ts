import { type Dirent, opendirSync } from "node:fs";
import { readlink, stat } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod/mini";
import type { Workspace } from "../workspace/workspace.ts";
import { isInside, PathRefused } from "../workspace/workspace-path.ts";
import { defineTool } from "./define-tool.ts";
import prose from "./list-directory.md";
import { refused } from "./refused.ts";
import type { Tool } from "./tool.ts";
import { succeeded } from "./tool-result.ts";

const mostEntries = 500;
/** A folder of a million files must neither fill the memory nor take for ever to sort. */
const mostRead = 10_000;
const notEntered = new Set([".git", "node_modules"]);

const input = z.strictObject({
  path: z._default(
    z.string().check(z.describe("The folder, from the root of the workspace or absolute.")),
    ".",
  ),
  depth: z._default(
    z.int().check(z.gte(1), z.lte(5), z.describe("How many levels to show; 1 is the folder itself.")),
    1,
  ),
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
    summarize: ({ path }) => `List ${path}`,
    async execute({ path, depth }, { signal }) {
      return refused(async () => {
        const resolved = await workspace.resolve(path);
        const listing = new Listing(workspace, depth, signal);
        await listing.add(resolved.absolute, "");
        if (listing.lines.length === 0) return succeeded(`${resolved.relative} is empty.`);
        const more = listing.more ? "\n(There is more. List a folder below, or with less depth.)" : "";
        return succeeded(listing.lines.join("\n") + more);
      });
    },
  });
}

class Listing {
  readonly lines: string[] = [];
  more = false;
  readonly #workspace: Workspace;
  readonly #depth: number;
  readonly #signal: AbortSignal;

  constructor(workspace: Workspace, depth: number, signal: AbortSignal) {
    this.#workspace = workspace;
    this.#depth = depth;
    this.#signal = signal;
  }

  async add(folder: string, indent: string): Promise<void> {
    this.#signal.throwIfAborted();
    for (const entry of this.#entries(folder)) {
      if (this.lines.length >= mostEntries) {
        this.more = true;
        return;
      }
      const path = join(folder, entry.name);
      this.lines.push(indent + (await describe(entry, path, this.#workspace.root)));
      const deeper =
        indent.length / 2 + 1 < this.#depth && entry.isDirectory() && !notEntered.has(entry.name);
      if (deeper) await this.add(path, `${indent}  `);
    }
  }

  #entries(folder: string): Dirent[] {
    const entries: Dirent[] = [];
    const directory = openFolder(folder);
    try {
      for (let entry = directory.readSync(); entry; entry = directory.readSync()) {
        if (entries.length >= mostRead) {
          this.more = true;
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

function openFolder(folder: string) {
  try {
    return opendirSync(folder);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT") throw new PathRefused("This folder does not exist.");
    if (code === "ENOTDIR") throw new PathRefused("This is a file, not a folder. Read it instead.");
    if (code === "EACCES" || code === "EPERM")
      throw new PathRefused("This folder may not be read: permission denied.");
    throw error;
  }
}

/** Names are as hostile as any content: one with a line break in it must not look like two. */
async function describe(entry: Dirent, path: string, root: string): Promise<string> {
  const name = /^[\P{C}\p{Cf}]*$/u.test(entry.name) ? entry.name : JSON.stringify(entry.name);
  if (entry.isDirectory()) return `${name}/`;
  if (entry.isSymbolicLink()) return `${name} -> ${await linkTarget(path, root)}`;
  if (!entry.isFile()) return `${name} (not a file)`;
  try {
    return `${name} (${(await stat(path)).size} bytes)`;
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
