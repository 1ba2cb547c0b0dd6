/** More different lines than this take too long to line up. */
const mostChanges = 5_000;
const longestDiff = 200_000;

export type TextDiff = {
  /** A unified diff of the file, or why there is none. */
  readonly unified: string;
  readonly added: number;
  readonly removed: number;
};

export async function diffTexts(path: string, before: string, after: string): Promise<TextDiff> {
  const { structuredPatch, formatPatch, FILE_HEADERS_ONLY } = await import("diff");
  const name = /[\s"\\]/.test(path) ? JSON.stringify(path) : path;
  const patch = structuredPatch(name, name, before, after, undefined, undefined, {
    context: 3,
    maxEditLength: mostChanges,
  });
  if (!patch) {
    const [removed, added] = [before, after].map((text) => text.split("\n").length);
    return { unified: "(too different to show)", added: added ?? 0, removed: removed ?? 0 };
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const unified = formatPatch(patch, FILE_HEADERS_ONLY);
  return {
    unified: unified.length > longestDiff ? `${unified.slice(0, longestDiff)}\n(cut)` : unified,
    added: lines.filter((line) => line.startsWith("+")).length,
    removed: lines.filter((line) => line.startsWith("-")).length,
  };
}

/** The hunks without the file's header, cut to a size a model may read. */
export function shortDiff({ unified }: TextDiff, mostCharacters: number): string {
  const hunks = unified.slice(Math.max(0, unified.search(/^@@ /m)));
  if (hunks.length <= mostCharacters) return hunks.trimEnd();
  const cut = hunks.lastIndexOf("\n", mostCharacters);
  return `${hunks.slice(0, cut === -1 ? mostCharacters : cut)}\n(The rest of the diff is left out.)`;
}
