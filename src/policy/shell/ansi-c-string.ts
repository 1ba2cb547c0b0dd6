const letters: ReadonlyMap<string, string> = new Map([
  ["a", "\x07"],
  ["b", "\b"],
  ["e", "\x1b"],
  ["E", "\x1b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["v", "\v"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["?", "?"],
]);

const escaped =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

/** What `$'…'` stands for, given what is between its quotes. A NUL ends the text, as it does in bash. */
export function decodeAnsiC(inner: string): string {
  const decoded = inner.replace(
    escaped,
    (whole, hex?: string, u4?: string, u8?: string, octal?: string, control?: string, other?: string) => {
      const digits = hex ?? u4 ?? u8;
      if (digits !== undefined) return character(Number.parseInt(digits, 16), hex !== undefined);
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
      return (other !== undefined && letters.get(other)) || whole;
    },
  );
  const end = decoded.indexOf("\0");
  return end === -1 ? decoded : decoded.slice(0, end);
}

function character(code: number, isByte: boolean): string {
  if (isByte) return String.fromCharCode(code);
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\uFFFD";
}
