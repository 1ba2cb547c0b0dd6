import { posix } from "node:path";
import type { ApprovedCall } from "./judged-call.ts";

/** Whether `later` must wait for `earlier`, asked for in the same answer: one changes what the other touches. */
export function mustWait(later: ApprovedCall, earlier: ApprovedCall): boolean {
  if (later.tool.readOnly && earlier.tool.readOnly) return false;
  const laterPaths = touched(later);
  const earlierPaths = touched(earlier);
  if (!laterPaths || !earlierPaths) return true;
  return laterPaths.some((path) => earlierPaths.some((other) => overlap(path, other)));
}

/** Nothing means anything: a tool that does not say, or fails to, is not trusted to keep away. */
function touched({ tool, args }: ApprovedCall): readonly string[] | undefined {
  try {
    return tool.touches?.(args).map((path) => posix.normalize(path.replaceAll("\\", "/")).replace(/\/$/, ""));
  } catch {
    return undefined;
  }
}

function overlap(a: string, b: string): boolean {
  return isWithin(a, b) || isWithin(b, a);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === "." || path.startsWith(`${folder}/`);
}
