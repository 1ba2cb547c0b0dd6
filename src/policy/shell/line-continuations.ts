/**
 * Joins words that a backslash at a line's end cuts in two (`r\⏎m` is `rm`), which the grammar takes for two words.
 * Gives nothing when the text also holds what makes a backslash mean something else (comments, here-documents,
 * expansions): a wrong guess there would hide a command.
 */
export function joinContinuedWords(text: string): string | undefined {
  if (!/\S\\\n\S/.test(text)) return text;
  if (/[#`$]|<</.test(text)) return undefined;
  return text.replace(/'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\\n|\\[\s\S]/g, (found) =>
    found === "\\\n" ? "" : found,
  );
}
