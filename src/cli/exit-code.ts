/** What the shell is told. Documented in `--help`. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  hungUp: 129,
  interrupted: 130,
  outputClosed: 141,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];
