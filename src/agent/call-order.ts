import { posix } from "node:path";
import type { ApprovedCall } from "./judged-call.ts";

/** What a call does to which paths. */
export type CallAccess = {
  readonly readOnly: boolean;
  /** Absent: anything. A tool that does not say, or fails to, is not trusted to keep away. */
  readonly paths?: readonly string[];
};

export function accessOf({ tool, args }: ApprovedCall): CallAccess {
  const { readOnly } = tool;
  try {
    const paths = tool.touches?.(args).map(normalize);
    return paths ? { readOnly, paths } : { readOnly };
  } catch {
    return { readOnly };
  }
}

/** Whether the later of two calls of one answer must wait for the earlier: one changes what the other touches. */
export function mustKeepOrder(one: CallAccess, other: CallAccess): boolean {
  if (one.readOnly && other.readOnly) return false;
  const { paths } = one;
  const { paths: otherPaths } = other;
  if (!paths || !otherPaths) return true;
  return paths.some((path) => otherPaths.some((otherPath) => overlap(path, otherPath)));
}

function normalize(path: string): string {
  return posix.normalize(path.replaceAll("\\", "/")).replace(/\/$/, "");
}

function overlap(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "." || path.startsWith(`${folder}/`);
}
