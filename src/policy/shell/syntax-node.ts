/** A piece of shell text and what bash takes it for. `ERROR` is what could not be understood. */
export type SyntaxNode = {
  readonly type: string;
  /** Unnamed nodes are the shell's own signs and keywords: `;`, `&&`, `then`. */
  readonly named: boolean;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
};
