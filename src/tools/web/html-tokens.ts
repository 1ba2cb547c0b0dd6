import { decodeEntities } from "./html-entities.ts";

/** Their content is not markup: it ends at their own end tag and nowhere else. */
const rawText = new Set(["script", "style", "noscript", "iframe", "textarea", "title", "template"]);

/** What a page is made of, in the order in which it comes. */
export type Token =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "open"; readonly name: string; readonly attributes: string }
  | { readonly type: "close"; readonly name: string };

export function* tokens(html: string): Generator<Token> {
  const tagEnd = tagEnds(html);
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open === -1 ? html.length : open;
    if (end > at) yield { type: "text", text: html.slice(at, end) };
    if (open === -1) return;
    if (html.startsWith("<!--", open)) {
      at = after(html, "-->", open + 4);
      continue;
    }
    const name = /^<\/?([a-zA-Z][a-zA-Z0-9:-]{0,40})/.exec(html.slice(open, open + 50))?.[1]?.toLowerCase();
    if (name === undefined) {
      // `<!doctype>` and `<?xml?>` are markup; a lone `<` is a letter.
      const isMarkup = html[open + 1] === "!" || html[open + 1] === "?" || html[open + 1] === "/";
      if (!isMarkup) yield { type: "text", text: "<" };
      at = isMarkup ? after(html, ">", open) : open + 1;
      continue;
    }
    const close = tagEnd(open);
    if (html[open + 1] === "/") yield { type: "close", name };
    else yield { type: "open", name, attributes: html.slice(open + 1 + name.length, close) };
    at = close + 1;
    if (rawText.has(name) && html[open + 1] !== "/") {
      const stop = rawEnd(html, name, at);
      if (stop > at) yield { type: "text", text: html.slice(at, stop) };
      at = stop;
    }
  }
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at === -1 ? html.length : at + mark.length;
}

/**
 * Finds the `>` that ends a tag; one between quotes does not. Where a page's quotes are so broken that no tag would end,
 * they are not looked at any more, or a hostile page would be read to its end again for every tag.
 */
function tagEnds(html: string): (from: number) => number {
  let quotesAreBroken = false;
  return (from) => {
    let quote = "";
    for (let at = from; at < html.length && !quotesAreBroken; at++) {
      const character = html[at] ?? "";
      if (quote !== "") {
        if (character === quote) quote = "";
      } else if ((character === '"' || character === "'") && /[=\s]/.test(html[at - 1] ?? ""))
        quote = character;
      else if (character === ">") return at;
    }
    quotesAreBroken = true;
    const first = html.indexOf(">", from);
    return first === -1 ? html.length : first;
  };
}

function rawEnd(html: string, name: string, from: number): number {
  for (let at = html.indexOf("</", from); at !== -1; at = html.indexOf("</", at + 2)) {
    if (html.slice(at + 2, at + 2 + name.length).toLowerCase() === name) return at;
  }
  return html.length;
}

/** The value of an attribute, from all that a tag holds. */
export function attribute(attributes: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(
    attributes.slice(0, 10_000),
  );
  const value = match?.[1] ?? match?.[2] ?? match?.[3];
  return value === undefined ? undefined : decodeEntities(value);
}
