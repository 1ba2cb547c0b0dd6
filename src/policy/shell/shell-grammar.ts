import type { SyntaxNode } from "./syntax-node.ts";

/** Unquoted and where a command's name stands, they mean something else to bash than to the grammar. */
export const reservedWords: ReadonlySet<string> = new Set(
  "if then elif else fi for while until do done case esac in select function { } ! [[ ]]".split(" "),
);

export function isRedirect({ type }: SyntaxNode): boolean {
  return type === "file_redirect" || type === "heredoc_redirect" || type === "herestring_redirect";
}

/** The words of a test such as `[ -f a ]`, and the signs between them. */
export function leaves(node: SyntaxNode): readonly SyntaxNode[] {
  const isWord = /^(word|string|raw_string|ansi_c_string|concatenation|number|.*expansion|.*substitution)$/;
  if (node.children.length === 0 || isWord.test(node.type)) return [node];
  return node.children.flatMap(leaves);
}

/** Whether a text is nothing but commands joined by `&&`. */
export function isOnlyAnd(root: SyntaxNode): boolean {
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
