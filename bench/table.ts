/** Median, and the least in brackets: on a noisy machine the least says more about the code. */
export function spread(values: readonly number[], digits = 0): string {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  return `${median.toFixed(digits)} (${(sorted[0] ?? Number.NaN).toFixed(digits)})`;
}

export function printTable(
  title: string,
  head: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  const all = [head, head.map(() => "---"), ...rows];
  const lines = all.map((row) => `| ${row.join(" | ")} |`);
  process.stdout.write(`\n${title}\n\n${lines.join("\n")}\n`);
}
