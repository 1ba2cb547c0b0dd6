/** How far a call is. Each report replaces the one before it; what must not be lost belongs into the result. */
export type ToolProgress = {
  readonly current: number;
  /** 0 when nobody knows. */
  readonly total: number;
  readonly message?: string;
};

export function determinateProgress(current: number, total: number, message?: string): ToolProgress {
  return { current, total, ...(message === undefined ? {} : { message }) };
}

export function indeterminateProgress(message?: string): ToolProgress {
  return determinateProgress(0, 0, message);
}

export function isIndeterminate(progress: ToolProgress): boolean {
  return progress.total <= 0;
}

/** A whole number from 0 to 100; 0 when indeterminate. */
export function progressPercentage({ current, total }: ToolProgress): number {
  if (total <= 0) return 0;
  return Math.min(100, Math.max(0, Math.floor((current * 100) / total)));
}
