import { decodeAnsiC } from "./ansi-c-string.ts";
import type { SyntaxNode } from "./syntax-node.ts";

/** One word of a command as the program would get it. */
export type ShellWord = {
  /** Quotes and escapes resolved. Of a dynamic word: as far as it is known, expansions as written. */
  readonly text: string;
  /** Its value is known only when it runs: it holds an expansion, a substitution or braces. */
  readonly dynamic: boolean;
  /** Stands for the names of files that match. */
  readonly glob: boolean;
  /** Starts with a tilde that stands for a home folder. */
  readonly tilde: boolean;
};

/** The text says something else to bash than to the grammar, or the grammar does not know it. */
export class Unreadable extends Error {
  override readonly name = "Unreadable";
}

/** `bare` is as long as `text`, with NUL for every character that was quoted and so stands for itself. */
type Piece = { readonly text: string; readonly bare: string; readonly dynamic: boolean };

/** A word made of fixed text: what a program would be given by an `exec` without a shell. */
export function staticWord(text: string): ShellWord {
  return { text, dynamic: false, glob: false, tilde: false };
}

/** A word of which only the place is known. */
export function unknownWord(text: string): ShellWord {
  return { text, dynamic: true, glob: false, tilde: false };
}

export function readWord(node: SyntaxNode, source: string): ShellWord {
  const { text, bare, dynamic } = pieceOf(node, source);
  if (/^#/.test(bare)) throw new Unreadable("A comment is taken for a word.");
  return {
    text,
    dynamic: dynamic || hasBraceExpansion(bare) || /^~[^/]/.test(bare),
    glob: /[*?[]|[@!+]\(/.test(bare),
    tilde: /^~(\/|$)/.test(bare),
  };
}

/** Not one pattern: on a text of ten thousand brackets that would take minutes. */
function hasBraceExpansion(bare: string): boolean {
  const inside = bare.slice(bare.indexOf("{") + 1, Math.max(0, bare.lastIndexOf("}")));
  return bare.includes("{") && /,|\.\./.test(inside);
}

function pieceOf(node: SyntaxNode, source: string): Piece {
  const text = source.slice(node.start, node.end);
  switch (node.type) {
    case "word":
    case "number":
    case "variable_name":
    case "test_operator":
    case "special_variable_name":
      if (node.children.some(({ type }) => type !== "word" && type !== "number")) return dynamicPiece(text);
      return bareWord(text);
    case "raw_string":
      if (!/^'[^']*'$/.test(text)) throw new Unreadable("A quoted text does not end where it should.");
      return quoted(text.slice(1, -1));
    case "ansi_c_string":
      if (!/^\$'(?:[^'\\]|\\[\s\S])*'$/.test(text))
        throw new Unreadable("A quoted text does not end where it should.");
      // Some versions of bash read `\x{72}` as well, with or without the end.
      if (text.includes("\\x{")) return dynamicPiece(text);
      return quoted(decodeAnsiC(text.slice(2, -1)));
    case "string":
      return doubleQuoted(node, source);
    case "command_name":
    case "concatenation":
      return joined(node, source);
    case "simple_expansion":
      // Numbers and nothing else, whatever the program before them did.
      return /^\$[?#$!]$/.test(text) ? quoted(text) : dynamicPiece(text);
    case "expansion":
    case "command_substitution":
    case "process_substitution":
    case "arithmetic_expansion":
    case "brace_expression":
    case "translated_string":
    case "extglob_pattern":
    case "regex":
    case "array":
    case "subscript":
      return dynamicPiece(text);
    default:
      if (!node.named && /^[\w.=!+@%^,:/~[\]{}-]+$/.test(text)) return bareWord(text);
      throw new Unreadable(`A word holds what is not understood: ${text}`);
  }
}

function joined(node: SyntaxNode, source: string): Piece {
  let at = node.start;
  const pieces = node.children.map((child) => {
    if (child.start !== at) throw new Unreadable("A word is cut in two.");
    at = child.end;
    // `$"…"` is a text that may be translated; the grammar gives it a child `$`.
    if (!child.named && source.slice(child.start, child.end) === "$") return dynamicPiece("$");
    return pieceOf(child, source);
  });
  if (at !== node.end || pieces.length === 0) throw new Unreadable("A word is cut in two.");
  return {
    text: pieces.map(({ text }) => text).join(""),
    bare: pieces.map(({ bare }) => bare).join(""),
    dynamic: pieces.some(({ dynamic }) => dynamic),
  };
}

const plainWord = /^(?:[^\s;|&<>()`$'"\\]|\\[^\n]|\\\n|\$(?![\w{(['"@*#?!$-]))*$/;

function bareWord(source: string): Piece {
  if (!plainWord.test(source)) throw new Unreadable(`A word holds signs of the shell: ${source}`);
  let text = "";
  let bare = "";
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at);
    if (character !== "\\") {
      text += character;
      bare += character;
      continue;
    }
    at++;
    if (source.charAt(at) === "\n") continue;
    text += source.charAt(at);
    bare += "\0";
  }
  return { text, bare, dynamic: false };
}

function quoted(text: string): Piece {
  return { text, bare: "\0".repeat(text.length), dynamic: false };
}

function dynamicPiece(text: string): Piece {
  return { text, bare: "\0".repeat(text.length), dynamic: true };
}

const expansions: ReadonlySet<string> = new Set([
  "simple_expansion",
  "expansion",
  "command_substitution",
  "arithmetic_expansion",
]);

/** Taken from the source between the expansions: the grammar leaves blanks out of what it calls the content. */
function doubleQuoted(node: SyntaxNode, source: string): Piece {
  if (source.charAt(node.start) !== '"' || source.charAt(node.end - 1) !== '"' || node.end - node.start < 2)
    throw new Unreadable("A quoted text does not end where it should.");
  const pieces: Piece[] = [];
  let at = node.start + 1;
  for (const child of node.children) {
    if (!expansions.has(child.type)) continue;
    pieces.push(quoted(unescapeDoubleQuoted(source.slice(at, child.start))), pieceOf(child, source));
    at = child.end;
  }
  pieces.push(quoted(unescapeDoubleQuoted(source.slice(at, node.end - 1))));
  return {
    text: pieces.map(({ text }) => text).join(""),
    bare: pieces.map(({ bare }) => bare).join(""),
    dynamic: pieces.some(({ dynamic }) => dynamic),
  };
}

const plainInside = /^(?:[^"`$\\]|\\[\s\S]|\$(?![\w{([@*#?!$-]))*$/;

function unescapeDoubleQuoted(source: string): string {
  if (!plainInside.test(source))
    throw new Unreadable("A quoted text holds an expansion that is not understood.");
  return source.replace(/\\([$`"\\\n])/g, (_, character: string) => (character === "\n" ? "" : character));
}
