/** SHA-256, in hexadecimal. The module is loaded when the first content is hashed, not at every start. */
export function contentHash(content: Uint8Array): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
}
