import type { Policy } from "./policy.ts";

/** A policy that is nothing but its answer: for embedders with rules of their own, and for tests. */
export function functionPolicy(judge: Policy["judge"]): Policy {
  return { judge };
}
