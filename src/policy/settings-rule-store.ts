import { chmod, mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isJsonObject } from "../model/json.ts";
import { newId } from "../model/new-id.ts";
import type { RuleStore } from "./rule-store.ts";
import type { PolicyRule } from "./rules/policy-rule.ts";

/** The settings file cannot be changed; the message names it and the reason. */
export class RuleStoreError extends Error {
  override readonly name = "RuleStoreError";
}

/**
 * Keeps rules in a settings file, under `policy`. Comments, order and layout stay as they are; the file is replaced as a
 * whole, keeps its mode, and is made when there is none.
 */
export function settingsRuleStore(file: string): RuleStore {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    add: (effect, rules) => inTurn(() => add(file, effect, rules)),
    remove: (effect, rules) => inTurn(() => remove(file, effect, rules)),
  };
}

async function add(file: string, effect: PolicyRule["effect"], rules: readonly string[]): Promise<void> {
  const jsonc = await import("jsonc-parser");
  const before = await readText(file);
  let text = before;
  for (const rule of rules) {
    const entries = entriesOf(text, effect, file, jsonc);
    if (entries?.includes(rule)) continue;
    const path = ["policy", effect, ...(entries ? [entries.length] : [])];
    const edits = jsonc.modify(text, path, entries ? rule : [rule], {
      formattingOptions: layoutOf(text),
      isArrayInsertion: entries !== undefined,
    });
    text = jsonc.applyEdits(text, edits);
    // Better no change than a file that can no longer be read.
    if (entriesOf(text, effect, file, jsonc)?.at(-1) !== rule) throw mistakes(file);
  }
  if (text !== before) await replace(file, text);
}

async function remove(file: string, effect: PolicyRule["effect"], rules: readonly string[]): Promise<number> {
  const jsonc = await import("jsonc-parser");
  let text = await readText(file);
  const entries = entriesOf(text, effect, file, jsonc) ?? [];
  const found = [...entries.keys()].filter((at) => rules.includes(entries[at] ?? ""));
  for (const at of found.toReversed()) text = withoutEntry(text, ["policy", effect], at, jsonc);
  const left = entriesOf(text, effect, file, jsonc) ?? [];
  if (left.length !== entries.length - found.length) throw mistakes(file);
  if (found.length > 0) await replace(file, text);
  return found.length;
}

/** Takes out the entry and one comma. jsonc-parser's own way breaks a comment that stands behind the last entry. */
function withoutEntry(text: string, path: readonly string[], at: number, jsonc: JsoncParser): string {
  const root = jsonc.parseTree(text, [], { allowTrailingComma: true });
  const list = root && jsonc.findNodeAtLocation(root, [...path]);
  const entry = list?.children?.[at];
  if (!list || !entry) return text;
  const start = entry.offset;
  const end = start + entry.length;
  const scanner = jsonc.createScanner(text);
  const commas: number[] = [];
  const next = list.children?.[at + 1]?.offset ?? list.offset + list.length;
  const previous = list.children?.[at - 1];
  scanner.setPosition(previous ? previous.offset + previous.length : start);
  while (scanner.scan() !== endOfFile && scanner.getTokenOffset() < next) {
    if (scanner.getTokenLength() === 1 && text.charAt(scanner.getTokenOffset()) === ",")
      commas.push(scanner.getTokenOffset());
  }
  const comma = commas.find((offset) => offset >= end) ?? commas.at(-1);
  const blank = /[ \t]*\r?\n[ \t]*$|[ \t]*$/.exec(text.slice(0, start))?.[0].length ?? 0;
  const cuts = [[start - blank, end] as const, ...(comma === undefined ? [] : [[comma, comma + 1] as const])];
  return cuts
    .toSorted(([a], [b]) => b - a)
    .reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
}

/** `SyntaxKind.EOF`, a `const enum` that is not there at run time. */
const endOfFile = 17;

type JsoncParser = typeof import("jsonc-parser");

/**
 * Rules in the order of the list, nothing when there is no such list yet. Entries with examples count by their rule.
 */
function entriesOf(
  text: string,
  effect: PolicyRule["effect"],
  file: string,
  jsonc: JsoncParser,
): readonly string[] | undefined {
  const errors: { error: number; offset: number; length: number }[] = [];
  const settings: unknown = jsonc.parse(text, errors, { allowTrailingComma: true });
  const policy = isJsonObject(settings) ? (settings.policy ?? {}) : undefined;
  if (errors.length > 0 || !isJsonObject(policy)) throw mistakes(file);
  const list = policy[effect];
  if (list === undefined) return undefined;
  if (!Array.isArray(list)) throw mistakes(file);
  return list.map((entry: unknown) => {
    if (typeof entry === "string") return entry;
    return isJsonObject(entry) && typeof entry.rule === "string" ? entry.rule : "";
  });
}

function mistakes(file: string): RuleStoreError {
  return new RuleStoreError(`The rule cannot be saved: ${file} has mistakes. Correct them and try again.`);
}

function layoutOf(text: string): { insertSpaces: boolean; tabSize: number; eol: string } {
  const indent = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  const insertSpaces = !indent.startsWith("\t");
  return {
    insertSpaces,
    tabSize: insertSpaces ? indent.length : 1,
    eol: text.includes("\r\n") ? "\r\n" : "\n",
  };
}

async function readText(file: string): Promise<string> {
  try {
    const text = await readFile(file, "utf8");
    const plain = text.startsWith("\uFEFF") ? text.slice(1) : text;
    return plain.trim() === "" ? "{}\n" : plain;
  } catch (error) {
    if (isMissing(error)) return "{}\n";
    throw new RuleStoreError(`The rule cannot be saved: ${file} cannot be read.`, { cause: error });
  }
}

/** Through a file beside it, so that nobody ever reads half of it. A link stays a link. */
async function replace(file: string, text: string): Promise<void> {
  try {
    const target = await realpath(file).catch((error: unknown) => {
      if (isMissing(error)) return file;
      throw error;
    });
    const mode = await stat(target).then(
      (found) => found.mode & 0o777,
      () => 0o600,
    );
    await mkdir(dirname(target), { recursive: true });
    const beside = `${target}.${newId()}.tmp`;
    try {
      await writeFile(beside, text, { flag: "wx", mode, flush: true });
      await chmod(beside, mode);
      await rename(beside, target);
    } finally {
      await rm(beside, { force: true });
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RuleStoreError(`The rule cannot be saved: ${file}: ${reason}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
