import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { StoreLargeResult } from "./large-result.ts";

/** Keeps large results as files in a folder, which is made when the first one comes. Names are never used twice. */
export function largeResultFolder(folder: string): StoreLargeResult {
  return async ({ callId, toolId, content }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const name = `${toolId}-${callId}`.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 100);
    for (let copy = 1; ; copy += 1) {
      const path = join(folder, copy === 1 ? `${name}.txt` : `${name}-${copy}.txt`);
      try {
        await writeFile(path, content, { flag: "wx", mode: 0o600 });
        return path;
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
  };
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
