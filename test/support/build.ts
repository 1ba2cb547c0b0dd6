import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The end-to-end tests run what is in `dist/`: it must be what is in `src/`. */
export default function build(): void {
  const script = fileURLToPath(new URL("../../scripts/prepare.mjs", import.meta.url));
  execFileSync(process.execPath, [script], { stdio: "inherit" });
}
