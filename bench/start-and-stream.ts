import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsdown";
import { printTable, spread } from "./table.ts";

/*
 * Start to first request, and CPU and memory of a 20,000-token stream: the product beside bare readers and the AI
 * SDK's provider package, all in interleaved rounds of one run.   node bench/start-and-stream.ts [rounds]
 */

const rounds = Number(process.argv[2] ?? 10);
const here = fileURLToPath(new URL(".", import.meta.url));
const root = join(here, "..");
const work = mkdtempSync(join(tmpdir(), "aintern-bench-"));

const server = spawn(process.execPath, [join(here, "stream-server.ts")], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [port] = await once(server.stdout, "data");
const url = `http://127.0.0.1:${String(port).trim()}/v1`;

mkdirSync(join(work, "aintern"));
const provider = { type: "openai-compatible", baseURL: url, apiKey: "none" };
writeFileSync(join(work, "aintern", "settings.json"), JSON.stringify({ providers: { bench: provider } }));

await build({
  config: false,
  logLevel: "error",
  entry: [join(here, "subjects", "ai-sdk.mjs")],
  outDir: join(work, "ai-sdk"),
  platform: "node",
  format: "esm",
  minify: true,
  dts: false,
  deps: { alwaysBundle: [/.*/] },
});
const cached = join(work, "cached.mjs");
writeFileSync(
  cached,
  `import module from "node:module"; module.enableCompileCache(${JSON.stringify(join(work, "compiled"))}); await import("./ai-sdk/ai-sdk.mjs");`,
);

const subjects: Record<string, (prompt: string) => string[]> = {
  aintern: (prompt) => [join(root, "bin/aintern.js"), "-p", "--model", "bench/m", prompt],
  "node:http reader": (prompt) => [join(here, "subjects/raw-http.mjs"), url, prompt],
  "fetch reader": (prompt) => [join(here, "subjects/raw-fetch.mjs"), url, prompt],
  "AI SDK package, bundled": (prompt) => [cached, url, prompt],
};

// Each process tells its own use of the machine when it ends, on a third pipe. Peak memory is the kernel's VmHWM: what
// getrusage says counts the parent's memory at the time of the fork.
const meter = `data:text/javascript,${encodeURIComponent(`
  process.on("exit", () => {
    const fs = process.getBuiltinModule("node:fs");
    const peak = /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync("/proc/self/status", "utf8"))?.[1];
    fs.writeSync(3, JSON.stringify({ ...process.resourceUsage(), maxRSS: Number(peak) }));
  });`)}`;

type Run = {
  readonly firstRequest: number;
  readonly wall: number;
  readonly cpu: number;
  readonly memory: number;
};

async function run(args: readonly string[], expected: string): Promise<Run> {
  const started = process.hrtime.bigint();
  const child = spawn(process.execPath, ["--import", meter, ...args], {
    env: { PATH: process.env.PATH, HOME: work, XDG_CONFIG_HOME: work, XDG_CACHE_HOME: join(work, "cache") },
    stdio: ["ignore", "pipe", "inherit", "pipe"],
  });
  let out = "";
  let usage = "";
  child.stdout?.on("data", (piece) => (out += piece));
  child.stdio[3]?.on("data", (piece) => (usage += piece));
  await once(child, "close");
  const wall = Number(process.hrtime.bigint() - started) / 1e6;
  if (!out.includes(expected)) throw new Error(`${args[0]} printed ${JSON.stringify(out.slice(-200))}`);
  const arrived = BigInt(await (await fetch(url.replace("/v1", "/arrived"))).text());
  const { userCPUTime, systemCPUTime, maxRSS } = JSON.parse(usage);
  return {
    firstRequest: Number(arrived - started) / 1e6,
    wall,
    cpu: (userCPUTime + systemCPUTime) / 1e3,
    memory: maxRSS / 1024,
  };
}

async function measure(tokens: number): Promise<Map<string, Run[]>> {
  const results = new Map(Object.keys(subjects).map((name) => [name, [] as Run[]]));
  for (let round = -2; round < rounds; round++) {
    const order = Object.entries(subjects);
    if (round % 2) order.reverse();
    for (const [name, command] of order) {
      const result = await run(command(`TOKENS ${tokens}`), `w${tokens - 1}`);
      if (round >= 0) results.get(name)?.push(result);
    }
  }
  return results;
}

try {
  const short = await measure(5);
  const long = await measure(20_000);
  printTable(
    `Start and stream, ${rounds} rounds: median (least)`,
    ["", "first request ms", "whole answer ms", "20,000 tokens: wall ms", "CPU ms", "memory MB"],
    Object.keys(subjects).map((name) => {
      const of = (runs: Map<string, Run[]>, value: (run: Run) => number) =>
        spread((runs.get(name) ?? []).map(value));
      return [
        name,
        of(short, (run) => run.firstRequest),
        of(short, (run) => run.wall),
        of(long, (run) => run.wall),
        of(long, (run) => run.cpu),
        of(long, (run) => run.memory),
      ];
    }),
  );
} finally {
  server.kill();
  rmSync(work, { recursive: true, force: true });
}
