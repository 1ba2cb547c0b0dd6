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

/** The commands of a text that is nothing but commands joined by `&&`, without those inside of others. */
export function joinedCommands(root: SyntaxNode): readonly SyntaxNode[] {
  const [only] = root.children;
  return root.children.length === 1 && only ? (chainOf(only) ?? []) : [];
}

function chainOf(node: SyntaxNode): readonly SyntaxNode[] | undefined {
  switch (node.type) {
    case "command":
      return [node];
    // It does not lead anywhere, but neither does it run what is behind it when it fails.
    case "pipeline":
      return [];
    case "redirected_statement": {
      const [body] = node.children;
      return body && !isRedirect(body) ? chainOf(body) : [];
    }
    case "list": {
      const chains = node.children.map((child) => {
        if (!child.named) return child.type === "&&" ? [] : undefined;
        return chainOf(child);
      });
      return chains.includes(undefined) ? undefined : chains.flatMap((chain) => chain ?? []);
    }
    default:
      return undefined;
  }
}
