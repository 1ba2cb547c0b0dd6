import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Recordings and vectors that live beside the repository, not in it. Undefined where they are not there. */
export function sharedFolder(path: string): string | undefined {
  const folder = fileURLToPath(new URL(`../../../shared/${path}`, import.meta.url));
  return existsSync(folder) ? folder : undefined;
}
