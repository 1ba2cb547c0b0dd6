import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

/* `npm run bench [-- name …]`: every benchmark of this folder, or those named, one after another. */

const here = fileURLToPath(new URL(".", import.meta.url));
const parts = new Set(["run.ts", "table.ts", "stream-server.ts"]);
const all = readdirSync(here).filter((file) => file.endsWith(".ts") && !parts.has(file));
const asked = process.argv.slice(2);
const chosen = asked.length === 0 ? all : all.filter((file) => asked.includes(file.replace(/\.ts$/, "")));
if (chosen.length === 0) {
  process.stderr.write(`There are ${all.map((file) => file.replace(/\.ts$/, "")).join(", ")}.\n`);
  process.exitCode = 2;
}
for (const file of chosen) {
  const { status } = spawnSync(process.execPath, [here + file], { stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
