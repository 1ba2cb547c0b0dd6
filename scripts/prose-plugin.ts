/** Lets code import a `.md` file as its text: each tool is code and prose. */
export const prosePlugin = {
  name: "prose",
  transform(code: string, id: string) {
    return id.endsWith(".md")
      ? { code: `export default ${JSON.stringify(code)};`, map: null, moduleType: "js" as const }
      : undefined;
  },
};
