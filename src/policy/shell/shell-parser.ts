import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Node } from "web-tree-sitter";
import type { SyntaxNode } from "./syntax-node.ts";

export type WasmName = "web-tree-sitter.wasm" | "tree-sitter-bash.wasm";

export type ReadWasm = (name: WasmName) => Uint8Array | Promise<Uint8Array>;

/** Reads a text as bash would. The tree may hold `ERROR` nodes; it is plain data. */
export type ShellParser = { parse(text: string): SyntaxNode };

/** Nesting beyond this is nobody's honest command, and would exhaust the stack. */
const deepest = 150;

let loading: Promise<ShellParser> | undefined;

/** The one parser of this process, loaded at the first call. A failed load is tried again at the next call. */
export function loadShellParser({ readWasm = readWasmNearby } = {}): Promise<ShellParser> {
  loading ??= load(readWasm).catch((error: unknown) => {
    loading = undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`No command can be judged: the shell parser cannot be loaded. ${reason}`, {
      cause: error,
    });
  });
  return loading;
}

async function load(readWasm: ReadWasm): Promise<ShellParser> {
  const [{ Language, Parser }, engine, grammar] = await Promise.all([
    import("web-tree-sitter"),
    readWasm("web-tree-sitter.wasm"),
    readWasm("tree-sitter-bash.wasm"),
  ]);
  await Parser.init({ wasmBinary: engine });
  const parser = new Parser();
  parser.setLanguage(await Language.load(grammar));
  return {
    parse(text) {
      const tree = parser.parse(text);
      if (!tree) throw new Error("The shell parser gave no tree.");
      try {
        return plainNode(tree.rootNode, 0);
      } finally {
        tree.delete();
      }
    },
  };
}

function plainNode(node: Node, depth: number): SyntaxNode {
  const { type, isNamed: named, startIndex: start, endIndex: end } = node;
  if (depth > deepest || node.isError || node.isMissing) {
    return { type: "ERROR", named: true, start, end, children: depth > deepest ? [] : below(node, depth) };
  }
  return { type, named, start, end, children: node.childCount === 0 ? [] : below(node, depth) };
}

function below(node: Node, depth: number): readonly SyntaxNode[] {
  return node.children.map((child) => plainNode(child, depth + 1));
}

/** Beside the bundle when there is one, else in the packages they come from. */
async function readWasmNearby(name: WasmName): Promise<Uint8Array> {
  const beside = fileURLToPath(new URL(name, import.meta.url));
  if (existsSync(beside)) return readFile(beside);
  const home = name === "web-tree-sitter.wasm" ? "web-tree-sitter" : "tree-sitter-bash";
  return readFile(createRequire(import.meta.url).resolve(`${home}/${name}`));
}
