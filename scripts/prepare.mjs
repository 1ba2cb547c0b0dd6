// Runs before `npm start` and `npm test`, on whatever Node the machine has and before anything is installed: installs
// the packages and builds the bundle when they are missing or stale, and is silent and quick when they are not.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const at = (/** @type {string[]} */ ...path) => join(root, ...path);
const wants = (/** @type {string} */ flag) => process.argv.includes(flag);

const lockHash = createHash("sha256")
  .update(readFileSync(at("package-lock.json")))
  .digest("hex");
const installStamp = at("node_modules", ".aintern-packages");
if (read(installStamp) !== lockHash) {
  say("Installing the packages (npm ci); this takes a minute the first time.");
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  checkNode();
  writeFileSync(installStamp, lockHash);
}

if (!wants("--packages-only")) {
  const sources = createHash("sha256").update(lockHash).update(sourceState()).digest("hex");
  const buildStamp = at("dist", ".sources");
  if (wants("--build") || read(buildStamp) !== sources) {
    say("Building dist/ from src/.");
    // Built aside and put in place whole: who starts the command in the meantime finds the old one or the new one.
    const made = `dist.${process.pid}`;
    // The SDK's type declarations take seconds and only publishing needs them.
    run(
      "tsdown",
      ["--log-level", "error", "--out-dir", made],
      wants("--build") ? { AINTERN_TYPES: "1" } : {},
    );
    writeFileSync(at(made, ".sources"), sources);
    rmSync(at("dist"), { recursive: true, force: true });
    renameSync(at(made), at("dist"));
  }
}

/** Path, size and time of every source: enough to see a change, and read in a few milliseconds. */
function sourceState() {
  const files = ["tsdown.config.ts", "package.json"];
  for (const entry of readdirSync(at("src"), { recursive: true, encoding: "utf8" })) {
    if (!entry.endsWith(".test.ts")) files.push(join("src", entry));
  }
  return files
    .sort()
    .map((file) => {
      const stat = statSync(at(file));
      return stat.isDirectory() ? "" : `${file}:${stat.size}:${stat.mtimeMs}`;
    })
    .join("\n");
}

/** npm may be set to run no install scripts, and then the packaged Node is an empty shell. */
function checkNode() {
  try {
    execFileSync(at("node_modules", ".bin", "node"), ["--version"], { stdio: "ignore" });
  } catch {
    say(
      "The packaged Node did not install: npm is set to run no install scripts. Allow them for the package `node`.",
    );
    process.exit(1);
  }
}

function run(
  /** @type {string} */ command,
  /** @type {string[]} */ args,
  /** @type {Record<string, string>} */ env = {},
) {
  const PATH = at("node_modules", ".bin") + delimiter + process.env.PATH;
  try {
    execFileSync(command, args, {
      cwd: root,
      stdio: ["ignore", 2, 2],
      env: { ...process.env, ...env, PATH },
      shell: process.platform === "win32",
    });
  } catch {
    say(`${command} ${args.join(" ")} failed; what it said stands above.`);
    process.exit(1);
  }
}

function read(/** @type {string} */ file) {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

function say(/** @type {string} */ line) {
  process.stderr.write(`aintern: ${line}\n`);
}
