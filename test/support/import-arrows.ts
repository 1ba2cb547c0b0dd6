import { posix } from "node:path";

/**
 * The rooms of `src/` and the rooms each may import from directly. What stands below one of those is below it too,
 * so the arrows are followed as far as they go. A room that is not named here may not exist.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  model: [],
  parsing: ["model"],
  providers: ["model", "parsing"],
  workspace: [],
  policy: ["model"],
  tools: ["workspace", "policy", "model"],
  agent: ["tools", "policy", "parsing", "model"],
  settings: ["agent", "providers"],
  session: ["settings", "agent", "providers"],
  server: ["session"],
  cli: ["session", "server"],
};

function roomsBelow(room: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    for (const next of arrows[name] ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(room);
  return found;
}

type Import = { readonly specifier: string; readonly typeOnly: boolean };

const importPattern =
  /(?:^|[\s;])(?:import|export)\s+(type\s)?[^"';]*?from\s*["']([^"']+)["']|import\s*\(\s*["']([^"']+)["']\s*\)|^\s*import\s+["']([^"']+)["']/gm;

function importsOf(source: string): Import[] {
  return [...source.matchAll(importPattern)].map((match) => ({
    specifier: match[2] ?? match[3] ?? match[4] ?? "",
    typeOnly: match[1] !== undefined,
  }));
}

/** Imports that point up, sideways or in a circle. `files` maps paths such as `src/model/json.ts` to their text. */
export function forbiddenImports(files: ReadonlyMap<string, string>): string[] {
  const problems: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [file, source] of files) {
    const room = roomOf(file);
    if (room !== undefined && !(room in arrows)) problems.push(`${file}: the design has no room "${room}"`);
    const below = roomsBelow(room ?? "");
    const targets: string[] = [];
    for (const { specifier, typeOnly } of importsOf(source)) {
      if (!specifier.startsWith(".")) continue;
      const target = posix.join(posix.dirname(file), specifier);
      if (!typeOnly) targets.push(target);
      const targetRoom = roomOf(target);
      if (!target.startsWith("src/")) problems.push(`${file} imports ${target}, outside of src/`);
      else if (room !== undefined && targetRoom !== room && !(targetRoom && below.has(targetRoom))) {
        problems.push(`${file} imports ${target}: ${room} does not stand above ${targetRoom ?? "the entry"}`);
      }
    }
    graph.set(file, targets);
  }
  return [...problems, ...circles(graph)];
}

/** `src/index.ts` is in no room: it stands above all. */
function roomOf(file: string): string | undefined {
  const parts = file.split("/");
  return parts.length > 2 ? parts[1] : undefined;
}

function circles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]) => {
    const at = trail.indexOf(file);
    if (at !== -1) {
      found.push(`imports go in a circle: ${[...trail.slice(at), file].join(" -> ")}`);
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return found;
}
