const signatures: readonly { readonly mediaType: string; readonly matches: (start: Buffer) => boolean }[] = [
  {
    mediaType: "image/png",
    matches: (start) => start.subarray(0, 8).equals(Buffer.from("\x89PNG\r\n\x1a\n", "latin1")),
  },
  {
    mediaType: "image/jpeg",
    matches: (start) => start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  },
  { mediaType: "image/gif", matches: (start) => /^GIF8[79]a/.test(start.toString("latin1")) },
  { mediaType: "image/webp", matches: (start) => /^RIFF.{4}WEBP/s.test(start.toString("latin1")) },
];

/** How much of a file `imageType` looks at. */
export const imageSignatureLength = 12;

/** By content: a name proves nothing. */
export function imageType(start: Buffer): string | undefined {
  return signatures.find(({ matches }) => matches(start))?.mediaType;
}
