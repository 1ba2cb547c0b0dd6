/*
 * Control characters, and characters that hide or reorder text: a terminal would obey them. Tab and line feed are
 * what text is made of. U+200D joins emoji and stays.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** Text from models, tools and servers as a terminal may show it: what it would obey or hide is written out. */
export function visibleText(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(hidden, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
  });
}
