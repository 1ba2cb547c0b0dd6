import { defineConfig } from "tsdown";
import { prosePlugin } from "./scripts/prose-plugin.ts";

/** Everything that is pure JavaScript goes into `dist/`, split so that a command loads only what it runs. */
export default defineConfig({
  entry: { cli: "src/cli/main.ts", index: "src/index.ts" },
  outDir: "dist",
  platform: "node",
  target: "node22",
  format: "esm",
  fixedExtension: false,
  minify: "dce-only",
  dts: false,
  clean: true,
  plugins: [prosePlugin],
  deps: { alwaysBundle: [/.*/] },
});
