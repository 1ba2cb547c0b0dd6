/** Who the model is and where: short, and the same from turn to turn, so that prompt caches hit. */
export function environmentPrompt(folder: string): string {
  const day = new Date().toISOString().slice(0, 10);
  return [
    "You are AIntern, a coding agent working for the user in their terminal. Be accurate and brief: look before you",
    "claim, say what you did and what you did not, and answer in the user's language.",
    "",
    // A folder's name is as hostile as any content: one with a line break in it must not write lines of ours.
    `Workspace: ${/\p{C}/u.test(folder) ? JSON.stringify(folder) : folder}`,
    `System: ${process.platform} ${process.arch}`,
    `Date: ${day}`,
  ].join("\n");
}
