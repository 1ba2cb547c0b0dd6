/**
 * Takes Node's own modules with `process.getBuiltinModule` in the bundle. An `import` of one reads all its exports, and
 * some are getters that load a lot: `node:fs` costs 3 ms that way and `node:http` 35 ms, for nothing.
 */
export const builtinPlugin = {
  name: "builtins",
  renderChunk(code: string, { fileName }: { readonly fileName: string }) {
    if (!fileName.endsWith(".js")) return null;
    const rewritten = code.replace(
      /^import (?:\* as (\w+)|(\w+)|\{([^}]*)\}) from "(node:[\w/]+)";$/gm,
      (
        _,
        namespace: string | undefined,
        whole: string | undefined,
        names: string | undefined,
        module: string,
      ) => {
        const pattern = namespace ?? whole ?? `{${names?.replaceAll(/(\w+) as (\w+)/g, "$1: $2")}}`;
        return `const ${pattern} = process.getBuiltinModule("${module}");`;
      },
    );
    return rewritten === code ? null : { code: rewritten, map: null };
  },
};
