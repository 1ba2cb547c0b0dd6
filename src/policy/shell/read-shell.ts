import { innerCommands } from "./inner-commands.ts";
import { joinContinuedWords } from "./line-continuations.ts";
import { readHeredoc } from "./read-heredoc.ts";
import { readRedirect } from "./read-redirect.ts";
import type { Assignment, CommandInput, CommandPart, ShellPart, ShellReading } from "./shell-part.ts";
import type { ShellParser } from "./shell-parser.ts";
import { readWord, type ShellWord, staticWord, Unreadable, unknownWord } from "./shell-word.ts";
import type { SyntaxNode } from "./syntax-node.ts";
import { verifyTree } from "./verify-tree.ts";

export const longestCommand = 10_000;
const mostParts = 500;
/** Scripts in scripts. */
const deepestScript = 8;

/** Everything the text would run or write, each program by itself. Never throws for any text, and never gives nothing. */
export function readShell(text: string, parser: ShellParser): ShellReading {
  const reader = new ShellReader(parser);
  const onlyAnd = reader.read(text, 0);
  const { parts } = reader;
  if (parts.length === 0) parts.push({ kind: "unreadable", text, reason: "It holds no command." });
  return { parts, onlyAnd };
}

/** Signs bash takes for parts of a word, and the grammar may take for blanks; and those that make a text lie. */
const oddCharacter = /[^\P{C}\n\t]|[^\P{Z} ]/u;

class ShellReader {
  readonly parts: ShellPart[] = [];
  readonly #parser: ShellParser;
  #source = "";
  #depth = 0;

  constructor(parser: ShellParser) {
    this.#parser = parser;
  }

  /** Whether all of it is joined by `&&`. */
  read(written: string, depth: number): boolean {
    if (written.length > longestCommand) {
      this.#unreadable(
        `${written.slice(0, 200)}…`,
        `It is ${written.length} characters long; at most ${longestCommand} are read.`,
      );
      return false;
    }
    if (depth > deepestScript) {
      this.#unreadable(written, "It holds scripts in scripts in scripts.");
      return false;
    }
    const outer = { source: this.#source, depth: this.#depth };
    const text = joinContinuedWords(written);
    this.#source = text ?? written;
    this.#depth = depth;
    try {
      const root = this.#parser.parse(this.#source);
      this.#check(root, written, text === undefined);
      this.#visit(root);
      return isOnlyAnd(root);
    } finally {
      this.#source = outer.source;
      this.#depth = outer.depth;
    }
  }

  /** What is doubtful is read all the same: a part of it may be denied. */
  #check(root: SyntaxNode, written: string, isCut: boolean): void {
    if (isCut) this.#unreadable(written, "A word goes on in the next line.");
    if (oddCharacter.test(written)) this.#unreadable(written, "It holds invisible or control characters.");
    try {
      verifyTree(root, this.#source);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#unreadable(written, error.message);
    }
  }

  #visit(node: SyntaxNode, input?: CommandInput): void {
    if (this.parts.length > mostParts) return this.#unreadable(this.#textOf(node), "It has too many commands.");
    switch (node.type) {
      case "command":
        return this.#guarded(node, () => this.#command(node, input));
      case "declaration_command":
      case "unset_command":
        return this.#guarded(node, () => this.#declaration(node));
      case "test_command":
        return this.#guarded(node, () => this.#test(node));
      case "variable_assignment":
      case "variable_assignments":
        return this.#guarded(node, () => this.#assignment(node));
      case "redirected_statement":
        return this.#redirected(node, input);
      case "pipeline":
        return this.#pipeline(node, input);
      case "file_redirect":
        return this.#guarded(node, () => this.#redirect(node));
      case "heredoc_redirect":
        return this.#guarded(node, () => this.#heredoc(node));
      case "command_substitution":
        if (/^`[^]*\\/.test(this.#textOf(node)))
          this.#unreadable(this.#textOf(node), "Backticks with a backslash inside mean something else.");
        return this.#children(node);
      case "compound_statement":
      case "c_style_for_statement":
        if (node.children.some(({ type }) => type === "((")) this.#guarded(node, () => this.#arithmetic(node));
        return this.#children(node, input);
      case "for_statement":
        this.#guarded(node, () => this.#loopVariable(node));
        return this.#children(node);
      default:
        return this.#children(node, node.type === "program" ? undefined : input);
    }
  }

  #children(node: SyntaxNode, input?: CommandInput): void {
    for (const child of node.children) this.#visit(child, input);
  }

  #guarded(node: SyntaxNode, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#unreadable(this.#textOf(node), error.message);
      this.#children(node);
    }
  }

  #command(node: SyntaxNode, input: CommandInput | undefined): void {
    const words: ShellWord[] = [];
    const assignments: Assignment[] = [];
    let given = input;
    for (const child of node.children) {
      if (child.type === "variable_assignment") assignments.push(this.#assigned(child));
      else if (child.type === "herestring_redirect") given = this.#herestring(child);
      else if (!isRedirect(child) && child.type !== "comment") words.push(readWord(child, this.#source));
    }
    const [name] = words;
    if (!name) throw new Unreadable("A command without a name.");
    if (name.dynamic || name.glob) throw new Unreadable("Which program runs is known only when it runs.");
    if (reserved.has(name.text) && this.#textOf(node).trimStart().startsWith(name.text))
      throw new Unreadable(`The shell's own word ${name.text} is out of place.`);
    this.#emit({
      kind: "command",
      text: this.#textOf(node),
      words,
      assignments,
      ...(given ? { input: given } : {}),
    });
    this.#nested(node);
  }

  /** Adds a command, and after it all that it runs. */
  #emit(part: CommandPart): void {
    const inner = innerCommands(part.words, part.input);
    if (inner.length === 0) {
      this.parts.push(part);
      return;
    }
    const runs = inner.every((each) => each.kind !== "unclear" && each.transparent) ? "all" : "some";
    this.parts.push({ ...part, runs });
    const input = part.input ? { input: part.input } : {};
    for (const each of inner) {
      if (this.parts.length > mostParts) return this.#unreadable(part.text, "It has too many commands.");
      switch (each.kind) {
        case "command":
          this.#inner({ ...each, kind: "command", text: wordsAsText(each.words), ...input });
          break;
        case "script":
          this.#script(each.word, part);
          break;
        case "unclear":
          this.#unreadable(part.text, "Which program it runs is not known.");
          this.#anyOf(each.words);
      }
    }
  }

  #inner(part: CommandPart): void {
    this.#depth++;
    if (this.#depth > deepestScript * 4) this.#unreadable(part.text, "It holds commands in commands in commands.");
    else this.#emit(part);
    this.#depth--;
  }

  #script(word: ShellWord, part: CommandPart): void {
    if (word.dynamic || word.glob) {
      this.#unreadable(part.text, "It runs a text that is known only when it runs.");
      return;
    }
    if (/\{\}/.test(word.text)) this.#unreadable(part.text, "It runs a text that is filled in when it runs.");
    this.read(word.text, this.#depth + 1);
  }

  /** For rules that deny: what might be run. The whole asks already. */
  #anyOf(words: readonly ShellWord[]): void {
    words.slice(0, 20).forEach((word, at) => {
      if (word.dynamic || word.glob || /^-|=/.test(word.text)) return;
      const rest = words.slice(at);
      const inner = innerCommands(rest).flatMap((each) => (each.kind === "script" ? [each.word] : []));
      this.parts.push({ kind: "command", text: wordsAsText(rest), words: rest, assignments: [], runs: "some" });
      for (const script of inner) if (!script.dynamic) this.read(script.text, this.#depth + 1);
    });
  }

  #declaration(node: SyntaxNode): void {
    const words: ShellWord[] = [];
    const assignments: Assignment[] = [];
    for (const child of node.children) {
      if (child.type === "comment" || isRedirect(child)) continue;
      if (child.type === "variable_assignment") {
        const assigned = this.#assigned(child);
        assignments.push(assigned);
        words.push({ ...assigned.value, text: `${assigned.name}=${assigned.value.text}` });
      } else if (!child.named && words.length === 0) words.push(staticWord(this.#textOf(child)));
      else words.push(readWord(child, this.#source));
    }
    for (const { text, dynamic } of words.slice(1)) {
      const written = /^(\w+)=/.exec(text)?.[1];
      if (written && !assignments.some(({ name }) => name === written))
        assignments.push({ name: written, value: dynamic ? unknownWord(text) : staticWord(text) });
    }
    this.parts.push({ kind: "command", text: this.#textOf(node), words, assignments });
    this.#nested(node);
  }

  #test(node: SyntaxNode): void {
    const words = leaves(node).map((leaf) => {
      if (!leaf.named) return staticWord(this.#textOf(leaf));
      return readWord(leaf, this.#source);
    });
    const dynamic = words.some((word) => word.dynamic) ? [unknownWord("…")] : [];
    const name = node.children[0] ? this.#textOf(node.children[0]) : "[";
    this.parts.push({
      kind: "command",
      text: this.#textOf(node),
      words: [staticWord(name), ...words.slice(1), ...dynamic],
      assignments: [],
    });
    this.#nested(node);
  }

  /** Variables in arithmetic are evaluated, and may hold a command in a subscript. */
  #arithmetic(node: SyntaxNode): void {
    const text = this.#textOf(node);
    if (/[a-zA-Z_$[]/.test(text.replace(/\{[^]*$|;\s*do[^]*$/, "")))
      throw new Unreadable("Arithmetic with variables can run commands.");
    this.parts.push({ kind: "command", text, words: [staticWord("((")], assignments: [] });
  }

  #assignment(node: SyntaxNode): void {
    const all = node.type === "variable_assignments" ? node.children : [node];
    const assignments = all.map((child) => this.#assigned(child));
    this.parts.push({ kind: "assign", text: this.#textOf(node), assignments });
    this.#nested(node);
  }

  /** `for PATH in …` sets it as well as any assignment. */
  #loopVariable(node: SyntaxNode): void {
    const variable = node.children.find(({ type }) => type === "variable_name");
    if (!variable) throw new Unreadable("A loop without a variable.");
    const name = this.#textOf(variable);
    const assignments = [{ name, value: unknownWord("…") }];
    this.parts.push({ kind: "assign", text: `for ${name}`, assignments });
  }

  #assigned(node: SyntaxNode): Assignment {
    const [name, , value] = node.children;
    if (!name) throw new Unreadable("An assignment without a name.");
    const written = this.#textOf(name);
    if (!/^\w+$/.test(written)) return { name: written, value: unknownWord(this.#textOf(node)) };
    return { name: written, value: value ? readWord(value, this.#source) : staticWord("") };
  }

  #redirected(node: SyntaxNode, input: CommandInput | undefined): void {
    let given = input;
    for (const child of node.children) {
      if (child.type === "heredoc_redirect") {
        given = { kind: "other" };
        this.#guarded(node, () => {
          given = readHeredoc(child, this.#source);
        });
      } else if (child.type === "herestring_redirect") given = this.#herestring(child);
      else if (child.type === "file_redirect" && /^\d*</.test(this.#textOf(child))) given = { kind: "other" };
    }
    for (const child of node.children) this.#visit(child, isRedirect(child) ? undefined : given);
  }

  #herestring(node: SyntaxNode): CommandInput {
    const word = node.children.find(({ named }) => named);
    if (!word) throw new Unreadable("A here-string without a text.");
    const read = readWord(word, this.#source);
    return read.dynamic ? { kind: "other" } : { kind: "text", text: read.text };
  }

  #pipeline(node: SyntaxNode, input: CommandInput | undefined): void {
    let given = input;
    const from: string[] = [];
    for (const child of node.children) {
      if (!child.named || child.type === "comment") continue;
      // `| sh` after a here-document stands in a pipeline whose first program is outside of it.
      const isFirst = from.length === 0 && child.start === node.start;
      this.#visit(child, isFirst ? given : { kind: "pipe", from: [...from] });
      from.push(this.#textOf(child));
      given = undefined;
    }
  }

  #redirect(node: SyntaxNode): void {
    const found = readRedirect(node, this.#source);
    if (found) this.parts.push(found);
    this.#nested(node);
  }

  #heredoc(node: SyntaxNode): void {
    readHeredoc(node, this.#source);
    this.#children(node);
  }

  /** Substitutions and redirections inside of a node whose words are read. */
  #nested(node: SyntaxNode): void {
    for (const child of node.children) {
      if (child.type === "command_substitution" || child.type === "process_substitution" || isRedirect(child))
        this.#visit(child);
      else this.#nested(child);
    }
  }

  #unreadable(text: string, reason: string): void {
    this.parts.push({ kind: "unreadable", text, reason });
  }

  #textOf(node: SyntaxNode): string {
    return this.#source.slice(node.start, node.end);
  }
}

const reserved: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac in select function { } ! [[ ]]".split(" "),
);

function isRedirect({ type }: SyntaxNode): boolean {
  return type === "file_redirect" || type === "heredoc_redirect" || type === "herestring_redirect";
}

function leaves(node: SyntaxNode): readonly SyntaxNode[] {
  const isWord = /^(word|string|raw_string|ansi_c_string|concatenation|number|.*expansion|.*substitution)$/;
  if (node.children.length === 0 || isWord.test(node.type)) return [node];
  return node.children.flatMap(leaves);
}

function isOnlyAnd(root: SyntaxNode): boolean {
  const { children } = root;
  const [only] = children;
  if (children.length !== 1 || !only) return false;
  const isChain = (node: SyntaxNode): boolean =>
    node.type === "command" ||
    node.type === "redirected_statement" ||
    node.type === "pipeline" ||
    (node.type === "list" &&
      node.children.every((child) => (child.named ? isChain(child) : child.type === "&&")));
  return isChain(only);
}

function wordsAsText(words: readonly ShellWord[]): string {
  return words.map(({ text }) => (/^[\w./:=@%+,-]+$/.test(text) ? text : JSON.stringify(text))).join(" ");
}
