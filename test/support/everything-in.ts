/** Every text that could be shown of a value: fields, hidden ones too, messages, stacks and causes. */
export function everythingIn(value: unknown): string {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const visit = (part: unknown) => {
    if (typeof part === "string") texts.push(part);
    if (part instanceof Uint8Array) texts.push(Buffer.from(part).toString("latin1"));
    if (typeof part !== "object" || part === null || seen.has(part)) return;
    seen.add(part);
    for (const key of Reflect.ownKeys(part)) {
      texts.push(String(key));
      visit(Reflect.get(part, key));
    }
  };
  visit(value);
  return texts.join("\n");
}
