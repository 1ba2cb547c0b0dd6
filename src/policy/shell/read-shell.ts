import { innerCommands } from "./inner-commands.ts";
import { joinContinuedWords } from "./line-continuations.ts";
import { readHeredoc } from "./read-heredoc.ts";
import { readRedirect } from "./read-redirect.ts";
import { isRedirect, joinedCommands, leaves, reservedWords } from "./shell-grammar.ts";
import type { ShellParser } from "./shell-parser.ts";
import type { Assignment, CommandInput, CommandPart, ShellPart } from "./shell-part.ts";
import { readWord, type ShellWord, staticWord, Unreadable, unknownWord } from "./shell-word.ts";
import type { SyntaxNode } from "./syntax-node.ts";
import { verifyTree } from "./verify-tree.ts";

export const longestCommand = 4_000;
/** Each stands for names that have to be looked up. */
const mostPatterns = 32;
const mostParts = 500;
/** Scripts in scripts. */
const deepestScript = 8;
/** Programs that run programs that run programs. */
const deepestCommand = 12;

/** Everything the text would run or write, each program by itself. Never throws for any text, and never gives nothing. */
export function readShell(text: string, parser: ShellParser): readonly ShellPart[] {
  const reader = new ShellReader(parser);
  reader.read(text, 0);
  const { parts } = reader;
  if (parts.length === 0) parts.push({ kind: "unreadable", text, reason: "It holds no command." });
  return parts;
}

/** Signs bash takes for parts of a word, and the grammar may take for blanks; and those that make a text lie. */
const oddCharacter = /[^\P{C}\n\t]|[^\P{Z} ]/u;

class ShellReader {
  readonly parts: ShellPart[] = [];
  readonly #parser: ShellParser;
  #source = "";
  #depth = 0;
  #leading: ReadonlySet<SyntaxNode> = new Set();

  constructor(parser: ShellParser) {
    this.#parser = parser;
  }

  read(written: string, depth: number): void {
    if (written.length > longestCommand) {
      this.#unreadable(
        `${written.slice(0, 200)}…`,
        `It is ${written.length} characters long; at most ${longestCommand} are read.`,
      );
      return;
    }
    if ((written.match(/[*?[]/g)?.length ?? 0) > mostPatterns) {
      this.#unreadable(written.slice(0, 200), "It has more patterns than can be looked at.");
      return;
    }
    if (depth > deepestScript) {
      this.#unreadable(written, "It holds scripts in scripts in scripts.");
      return;
    }
    const outer = { source: this.#source, depth: this.#depth };
    const text = joinContinuedWords(written);
    this.#source = text ?? written;
    this.#depth = depth;
    try {
      const root = this.#parser.parse(this.#source);
      this.#check(root, written, text === undefined);
      if (depth === 0) this.#leading = new Set(joinedCommands(root));
      this.#visit(root);
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
    if (this.parts.length > mostParts) {
      this.#unreadable(this.#textOf(node), "It has too many commands.");
      return;
    }
    switch (node.type) {
      case "command":
        this.#guarded(node, () => this.#command(node, input));
        break;
      case "declaration_command":
      case "unset_command":
        this.#guarded(node, () => this.#declaration(node));
        break;
      case "test_command":
        this.#guarded(node, () => this.#test(node));
        break;
      case "variable_assignment":
      case "variable_assignments":
        this.#guarded(node, () => this.#assignment(node));
        break;
      case "redirected_statement":
        this.#redirected(node, input);
        break;
      case "pipeline":
        this.#pipeline(node, input);
        break;
      case "file_redirect":
        this.#guarded(node, () => this.#redirect(node));
        break;
      case "heredoc_redirect":
        this.#guarded(node, () => this.#heredoc(node));
        break;
      case "command_substitution":
        if (/^`[\s\S]*\\/.test(this.#textOf(node)))
          this.#unreadable(this.#textOf(node), "Backticks with a backslash inside mean something else.");
        this.#children(node);
        break;
      case "compound_statement":
      case "c_style_for_statement":
        if (node.children.some(({ type }) => type === "(("))
          this.#guarded(node, () => this.#arithmetic(node));
        this.#children(node, input);
        break;
      case "for_statement":
        this.#guarded(node, () => this.#loopVariable(node));
        this.#children(node);
        break;
      default:
        this.#children(node, node.type === "program" ? undefined : input);
        break;
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
    const nameNode = node.children.find(({ type }) => type === "command_name");
    if (nameNode && reservedWords.has(this.#textOf(nameNode))) {
      this.#anyOf(words.slice(1));
      throw new Unreadable(`The shell's own word ${name.text} is out of place.`);
    }
    this.#emit({
      kind: "command",
      text: this.#textOf(node),
      words,
      assignments,
      ...(given ? { input: given } : {}),
      ...(this.#leading.has(node) ? { leads: true } : {}),
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
      if (this.parts.length > mostParts) {
        this.#unreadable(part.text, "It has too many commands.");
        return;
      }
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
    const [name, ...rest] = part.words;
    if (name && reservedWords.has(name.text)) {
      this.#unreadable(part.text, `The shell's own word ${name.text} is out of place.`);
      this.#anyOf(rest);
    } else if (this.#depth > deepestCommand)
      this.#unreadable(part.text, "It holds commands in commands in commands.");
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
      if (word.dynamic || word.glob || /^-|=/.test(word.text) || this.parts.length > mostParts) return;
      const rest = words.slice(at, at + 50);
      const inner = innerCommands(rest).flatMap((each) => (each.kind === "script" ? [each.word] : []));
      this.parts.push({
        kind: "command",
        text: wordsAsText(rest),
        words: rest,
        assignments: [],
        runs: "some",
      });
      for (const script of inner) if (!script.dynamic) this.read(script.text, this.#depth + 1);
      if (/\s/.test(word.text)) this.read(word.text, this.#depth + 1);
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
    if (/[a-zA-Z_$[]/.test(text.replace(/\{[\s\S]*$|;\s*do[\s\S]*$/, "")))
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
      if (child.type === "heredoc_redirect" || child.type === "herestring_redirect") {
        given = this.#givenText(child);
      } else if (child.type === "file_redirect" && /^\d*</.test(this.#textOf(child)))
        given = { kind: "other" };
    }
    for (const child of node.children) this.#visit(child, isRedirect(child) ? undefined : given);
  }

  #givenText(node: SyntaxNode): CommandInput {
    try {
      return node.type === "heredoc_redirect" ? readHeredoc(node, this.#source) : this.#herestring(node);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      this.#unreadable(this.#textOf(node), error.message);
      return { kind: "other" };
    }
  }

  #herestring(node: SyntaxNode): CommandInput {
    const word = node.children.find(({ named }) => named);
    if (!word) throw new Unreadable("A here-string without a text.");
    const read = readWord(word, this.#source);
    return read.dynamic ? { kind: "dynamic" } : { kind: "text", text: read.text };
  }

  #pipeline(node: SyntaxNode, input: CommandInput | undefined): void {
    const from: string[] = [];
    const stages = node.children.filter(({ named, type }) => named && type !== "comment");
    for (const stage of stages) {
      // `| sh` after a here-document stands in a pipeline whose first program is outside of it.
      const isFirst = from.length === 0 && stage.start === node.start;
      // What is redirected behind the last program is the last program's, though the grammar gives it to all.
      const isFed = input?.kind === "text" && stage === stages.at(-1);
      this.#visit(stage, isFirst || isFed ? input : { kind: "pipe", from: [...from] });
      from.push(this.#textOf(stage));
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

function wordsAsText(words: readonly ShellWord[]): string {
  return words.map(({ text }) => (/^[\w./:=@%+,-]+$/.test(text) ? text : JSON.stringify(text))).join(" ");
}
