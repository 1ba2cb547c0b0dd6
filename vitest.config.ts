import { defineConfig } from "vitest/config";
import { prosePlugin } from "./scripts/prose-plugin.ts";

export default defineConfig({
  plugins: [prosePlugin],
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 20_000,
  },
});
