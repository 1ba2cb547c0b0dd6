import type { BigIntStats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { contentHash } from "./content-hash.ts";

type Seen = { readonly size: bigint; readonly mtime: bigint; readonly hash?: string };

/** A larger file is known by its size and time alone. */
const largestHashed = 8 * 1024 * 1024;

/** What the files were like when the agent last read or wrote them, so that it changes nothing it has not seen. */
export class FilesSeen {
  readonly #files = new Map<string, Seen>();

  /** `absolute` is the real path of the file. */
  async remember(absolute: string, file: FileHandle): Promise<void> {
    const stat = await file.stat({ bigint: true });
    if (stat.size > largestHashed) {
      this.#files.set(absolute, { size: stat.size, mtime: stat.mtimeNs });
      return;
    }
    const content = Buffer.alloc(Number(stat.size));
    const { bytesRead } = await file.read(content, 0, content.length, 0);
    this.rememberContent(absolute, stat, content.subarray(0, bytesRead));
  }

  rememberContent(absolute: string, stat: BigIntStats, content: Uint8Array): void {
    this.#files.set(absolute, { size: stat.size, mtime: stat.mtimeNs, hash: contentHash(content) });
  }

  /** Whether the file was seen and is different now. One that was only touched is the same. */
  hasChanged(absolute: string, stat: BigIntStats, content: Uint8Array): boolean {
    const seen = this.#files.get(absolute);
    if (!seen) return false;
    if (seen.hash !== undefined) return seen.hash !== contentHash(content);
    return seen.size !== stat.size || seen.mtime !== stat.mtimeNs;
  }
}
