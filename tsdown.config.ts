import { defineConfig, type UserConfig } from "tsdown";
import { builtinPlugin } from "./scripts/builtin-plugin.ts";
import { prosePlugin } from "./scripts/prose-plugin.ts";

/** Everything that is pure JavaScript goes into `dist/`, split so that a command loads only what it runs. */
const common: UserConfig = {
  platform: "node",
  target: "node22",
  format: "esm",
  fixedExtension: false,
  minify: "dce-only",
  plugins: [prosePlugin, builtinPlugin],
  // jsonc-parser's CommonJS build loads its parts in a way no bundler can follow; its other build is fine.
  inputOptions: { resolve: { mainFields: ["module", "main"] } },
  deps: { alwaysBundle: [/^(?!@vscode\/ripgrep)/] },
};

export default defineConfig([
  {
    ...common,
    entry: { cli: "src/cli/main.ts" },
    dts: false,
    copy: ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"].map(
      (file) => `node_modules/${file}`,
    ),
    // What several parts share is one file, not thirty: each file costs a look-up at every start. What reads rules is
    // another one, because many runs need none.
    outputOptions: {
      codeSplitting: {
        groups: [
          { name: "shared", minShareCount: 2, test: /zod|src\/(?!policy)|schema|risk-level/, priority: 2 },
          { name: "rules", minShareCount: 2, priority: 1 },
        ],
      },
    },
  },
  // Apart from the command, so that what the two share does not cut the command into pieces.
  { ...common, entry: { index: "src/index.ts" }, dts: process.env.AINTERN_TYPES ? { tsgo: true } : false },
]);
