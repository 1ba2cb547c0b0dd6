#!/usr/bin/env node
// The launcher. Kept so small and so old-fashioned that even an old Node can read it and say that it is too old.
const needed = [22, 13];
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  process.stderr.write(
    `aintern needs Node ${needed.join(".")} or newer; this is ${process.version}. Get one from https://nodejs.org\n`,
  );
  process.exit(2);
}

// Not by `import`: that would read every export of these modules, and cost 3 ms at every start.
const { readFileSync } = process.getBuiltinModule("node:fs");
const first = process.argv[2];
process.stdout.on("error", (error) => {
  // The command itself deals with a reader that has gone; what is left is a full disk and the like.
  if (error.code === "EPIPE") return;
  process.exitCode = 1;
  process.stderr.write(`aintern: The output cannot be written: ${error.message}\n`);
});
if (first === "--version" || first === "-v") {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  process.stdout.write(`${version}\n`);
} else if (first === "--help" || first === "-h") {
  process.stdout.write(readFileSync(new URL("help.txt", import.meta.url), "utf8"));
} else {
  // In a folder of the user's own: what lies in a shared temporary folder could have been put there by anybody.
  const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  const folders = [XDG_CACHE_HOME, LOCALAPPDATA, HOME && `${HOME}/.cache`];
  const cache = folders.find((folder) => folder && /^(\/|[a-zA-Z]:[\\/])/.test(folder));
  if (cache) process.getBuiltinModule("node:module").enableCompileCache(`${cache}/aintern/compiled`);
  const { main } = await import("../dist/cli.js");
  await main(process.argv.slice(2));
}
