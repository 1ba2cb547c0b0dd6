import { StringDecoder } from "node:string_decoder";

/** Colours, cursor movements and erasing: they carry no words. */
const styling =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /\u001b(?:\[[0-9;:?]{0,60}[A-HJKSTfhlmsu]|[()][A-Z0-9])/g;

/** What a terminal would obey and a reader would not see. Tab and line feed are what text is made of; U+200D joins emoji. */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** The beginning of something that the next piece may complete. */
const unfinished =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about
  /(?:\u001b(?:\[[0-9;:?]{0,60}|[()])?|\r)$/;

/**
 * Output of a program as a model and a person may read it, piece by piece: styling dropped, each carriage return a new
 * line, and everything else that would act on a terminal or hide from a reader written out. The same bytes cut anywhere
 * give the same text.
 */
export class PlainOutput {
  readonly #decoder = new StringDecoder("utf8");
  #held = "";

  write(bytes: Buffer): string {
    const text = this.#held + this.#decoder.write(bytes);
    this.#held = unfinished.exec(text)?.[0] ?? "";
    return plainText(text.slice(0, text.length - this.#held.length));
  }

  end(): string {
    const text = this.#held + this.#decoder.end();
    this.#held = "";
    return plainText(text);
  }
}

export function plainText(text: string): string {
  return text
    .replace(styling, "")
    .replace(/\r\n?/g, "\n")
    .replace(hidden, (character) => {
      const code = character.codePointAt(0) ?? 0;
      return code < 0x100 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u{${code.toString(16)}}`;
    });
}
