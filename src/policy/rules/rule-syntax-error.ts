/** A rule that cannot be read. The message goes on from the rule's name: `… holds no command`. */
export class RuleSyntaxError extends Error {
  override readonly name = "RuleSyntaxError";
}
