import { Unreadable } from "./shell-word.ts";
import type { SyntaxNode } from "./syntax-node.ts";

/** All that the grammar can name today. What a later one adds is not understood until somebody has looked at it. */
const known: ReadonlySet<string> = new Set(
  `program list pipeline subshell compound_statement negated_command redirected_statement command command_name
  declaration_command unset_command test_command variable_assignment variable_assignments variable_name
  special_variable_name subscript array if_statement elif_clause else_clause while_statement for_statement
  c_style_for_statement do_group case_statement case_item function_definition command_substitution
  process_substitution file_redirect file_descriptor heredoc_redirect heredoc_start heredoc_body heredoc_content
  heredoc_end herestring_redirect word number string string_content raw_string ansi_c_string translated_string
  concatenation simple_expansion expansion arithmetic_expansion brace_expression extglob_pattern regex test_operator
  binary_expression unary_expression ternary_expression postfix_expression parenthesized_expression comment`.split(
    /\s+/,
  ),
);

/** Nothing in these goes on over the end of a line. */
const oneLine: ReadonlySet<string> = new Set([
  "command",
  "declaration_command",
  "unset_command",
  "variable_assignment",
  "variable_assignments",
  "concatenation",
  "file_redirect",
  "herestring_redirect",
  "expansion",
  "simple_expansion",
]);

/** Nothing stands between the pieces of these. */
const tight: ReadonlySet<string> = new Set([
  "simple_expansion",
  "variable_assignment",
  "concatenation",
  "command_name",
  "subscript",
]);

/** Checked as a whole by whoever reads words and here-documents: blanks inside belong to them. */
const sealed: ReadonlySet<string> = new Set(["string", "heredoc_body", "translated_string"]);

const words: ReadonlySet<string> = new Set([
  "command_name",
  "word",
  "number",
  "string",
  "raw_string",
  "ansi_c_string",
  "concatenation",
  "simple_expansion",
  "expansion",
  "command_substitution",
  "brace_expression",
]);

const blank = /^(?:[ \t\n]|\\\n)*$/;

/**
 * A second opinion on the grammar's. Throws `Unreadable` unless every character outside of the tree's tokens is a blank,
 * no command goes on in a new line, no two words touch, and comments stand where bash knows comments: what the grammar
 * overlooks cannot hide a command.
 */
export function verifyTree(root: SyntaxNode, source: string): void {
  if (!blank.test(source.slice(0, root.start)) || !blank.test(source.slice(root.end))) {
    throw new Unreadable("The text holds more than is understood.");
  }
  verify(root, source);
}

function verify(node: SyntaxNode, source: string): void {
  if (node.type === "ERROR") throw new Unreadable("It is not understood as shell text.");
  if (node.named && !known.has(node.type))
    throw new Unreadable(`It holds what is not known here: ${node.type}.`);
  if (node.type === "comment") verifyComment(node, source);
  // `${ command; }` runs a command in newer versions of bash.
  if (node.type === "expansion" && !/^\$\{[!#]?[\w@*?$!#-]/.test(source.slice(node.start, node.end)))
    throw new Unreadable("An expansion is not understood.");
  if (sealed.has(node.type)) {
    for (const child of node.children) if (child.named && child.children.length > 0) verify(child, source);
    return;
  }
  let before: SyntaxNode | undefined;
  let at = node.start;
  for (const child of node.children) {
    const gap = source.slice(at, child.start);
    const joined = gap.replaceAll("\\\n", "");
    if (!blank.test(gap)) throw new Unreadable("The text holds more than is understood.");
    if (before && gap !== "" && (tight.has(node.type) || before.type === "file_descriptor"))
      throw new Unreadable("A word is cut in two.");
    if (oneLine.has(node.type) && joined.includes("\n"))
      throw new Unreadable("A command goes on in a new line.");
    if (node.type === "command" && joined === "" && before && touches(before, child))
      throw new Unreadable("Two words touch.");
    verify(child, source);
    before = child;
    at = child.end;
  }
  if (node.children.length > 0 && !blank.test(source.slice(at, node.end)))
    throw new Unreadable("The text holds more than is understood.");
}

function touches(a: SyntaxNode, b: SyntaxNode): boolean {
  return words.has(a.type) && words.has(b.type);
}

function verifyComment(node: SyntaxNode, source: string): void {
  const text = source.slice(node.start, node.end);
  const before = node.start === 0 ? "\n" : source.charAt(node.start - 1);
  if (!/^#[^\n]*$/.test(text) || !/[\s;&|()]/.test(before)) throw new Unreadable("A comment is not one.");
}
