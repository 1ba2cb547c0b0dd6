/** The word of a list that was probably meant: at most two letters off. */
export function closestWord(written: string, words: Iterable<string>): string | undefined {
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const word of words) {
    const distance = editDistance(written.toLowerCase(), word.toLowerCase());
    if (distance <= Math.min(2, word.length / 3) && distance < (best?.distance ?? 3))
      best = { word, distance };
  }
  return best?.word;
}

/** Letters added, left out, changed or swapped. */
function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => i + j),
  );
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + change);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, at(i - 2, j - 2) + 1);
      const row = rows[i];
      if (row) row[j] = least;
    }
  }
  return at(a.length, b.length);
}
