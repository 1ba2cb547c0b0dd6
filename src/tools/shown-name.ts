/** Names are as hostile as any content: one with a line break in it must not look like two. */
export function shownName(name: string): string {
  return /^[^\p{C}\u2028\u2029]*$/u.test(name)
    ? name
    : JSON.stringify(name).replace(/[\p{C}\u2028\u2029]/gu, escaped);
}

function escaped(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
