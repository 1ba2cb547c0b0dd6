import { decodeEntities } from "./html-entities.ts";
import { attribute, type Token, tokens } from "./html-tokens.ts";

/** Without words for a reader; all of it is skipped. */
const skipped = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "canvas",
  "select",
  "head",
]);
/** What stands around the words of nearly every page. */
const around = new Set(["nav", "footer", "aside", "form", "button"]);
const blocks = new Set([
  ..."address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form".split(
    " ",
  ),
  ..."h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table tbody td th thead tr ul".split(
    " ",
  ),
]);
const paragraphs = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "pre",
  "blockquote",
  "table",
  "ul",
  "ol",
]);

export type PageText = { readonly title: string; readonly text: string };

/**
 * The words of a page, with headings, lists, links and preformatted text marked as in Markdown. One pass over the page,
 * in time that grows with its length only; no markup, however broken, makes it fail.
 */
export function htmlToText(html: string, base: URL): PageText {
  const reader = new PageReader(base);
  for (const token of tokens(html)) reader.take(token);
  return reader.page();
}

class PageReader {
  readonly #base: URL;
  #title = "";
  #lines: string[] = [];
  readonly #line = new LinePieces();
  #skip: { readonly name: string; depth: number } | undefined;
  #inTitle = false;
  #preformatted = 0;
  #lists = 0;
  #link: string | undefined;

  constructor(base: URL) {
    this.#base = base;
  }

  take(token: Token): void {
    // The title stands in the head, which is skipped otherwise.
    if (token.type !== "text" && token.name === "title")
      this.#inTitle = token.type === "open" && this.#title === "";
    else if (this.#inTitle && token.type === "text") this.#title = decodeEntities(token.text).trim();
    else if (this.#skip) this.#skipOver(token, this.#skip);
    else if (token.type === "text") this.#text(token.text);
    else if (token.type === "open") this.#open(token.name, token.attributes);
    else this.#close(token.name);
  }

  page(): PageText {
    this.#endLine();
    const text = this.#lines
      .join("\n")
      .replace(/\n{3,}/g, "\n\n")
      .trim();
    return { title: this.#title.replace(/\s+/g, " "), text };
  }

  #skipOver(token: Token, skip: { readonly name: string; depth: number }): void {
    // A page may leave the end of its head out: the body ends it.
    if (skip.name === "head" && token.type !== "text" && token.name === "body") this.#skip = undefined;
    else if (token.type === "open" && token.name === skip.name) skip.depth++;
    else if (token.type === "close" && token.name === skip.name && --skip.depth === 0) this.#skip = undefined;
  }

  #open(name: string, attributes: string): void {
    const selfClosing = attributes.endsWith("/");
    if (skipped.has(name) || around.has(name)) {
      if (!selfClosing) this.#skip = { name, depth: 1 };
      return;
    }
    if (name === "br") this.#endLine();
    else if (name === "hr") this.#paragraph();
    else if (name === "img") this.#text(attribute(attributes, "alt") ?? "");
    else if (name === "td" || name === "th") this.#line.add(this.#line.isBlank ? "" : " | ");
    else if (blocks.has(name)) this.#block(name);
    else if (name === "a") this.#startLink(attribute(attributes, "href"));
    else if (name === "code" && this.#preformatted === 0) this.#line.add("`");
    if (name === "pre" && !selfClosing) {
      this.#lines.push("```");
      this.#preformatted++;
    }
    if (name === "ul" || name === "ol") this.#lists++;
    if (/^h[1-6]$/.test(name)) this.#line.begin(`${"#".repeat(Number(name[1]))} `);
    if (name === "li") this.#line.begin(`${"  ".repeat(Math.min(10, Math.max(0, this.#lists - 1)))}- `);
  }

  #close(name: string): void {
    if (name === "a") this.#endLink();
    else if (name === "code" && this.#preformatted === 0) this.#line.add("`");
    if (name === "pre" && this.#preformatted > 0) {
      this.#endLine();
      this.#preformatted--;
      this.#lines.push("```");
    }
    if ((name === "ul" || name === "ol") && this.#lists > 0) this.#lists--;
    if (name !== "td" && name !== "th" && blocks.has(name)) this.#block(name);
  }

  #block(name: string): void {
    if (paragraphs.has(name) && !((name === "ul" || name === "ol") && this.#lists > 0)) this.#paragraph();
    else this.#endLine();
  }

  #text(written: string): void {
    const text = decodeEntities(written);
    if (this.#preformatted > 0) {
      const [first = "", ...rest] = text.split("\n");
      this.#line.add(first);
      for (const line of rest) {
        this.#lines.push(this.#line.take());
        this.#line.add(line);
      }
      return;
    }
    const words = text.replace(/\s+/g, " ");
    this.#line.add(this.#line.endsInSpace ? words.trimStart() : words);
  }

  #startLink(href: string | undefined): void {
    this.#endLink();
    const url = href === undefined || href.startsWith("#") ? null : URL.parse(href, this.#base.href);
    if (!url || !/^https?:$/.test(url.protocol)) return;
    this.#link = url.href;
    this.#line.mark();
  }

  #endLink(): void {
    const url = this.#link;
    this.#link = undefined;
    if (url === undefined) return;
    const words = this.#line.takeMarked();
    this.#line.add(words.trim() === "" ? words : `[${words.trim()}](${url})`);
  }

  #endLine(): void {
    this.#endLink();
    const written = this.#line.take();
    const line = this.#preformatted > 0 ? written : written.trimEnd();
    if (line.trim() !== "" && line.trim() !== "-") this.#lines.push(line);
  }

  #paragraph(): void {
    this.#endLine();
    if (this.#preformatted === 0) this.#lines.push("");
  }
}

/** A line in the making. It is joined once: a page can be one line, and looking at it for every word would take hours. */
class LinePieces {
  #pieces: string[] = [];
  #marked = 0;
  isBlank = true;
  endsInSpace = true;

  add(text: string): void {
    if (text === "") return;
    this.#pieces.push(text);
    if (text.trim() !== "") this.isBlank = false;
    this.endsInSpace = /\s$/.test(text.slice(-1));
  }

  begin(text: string): void {
    this.take();
    this.add(text);
  }

  mark(): void {
    this.#marked = this.#pieces.length;
  }

  takeMarked(): string {
    return this.#pieces.splice(this.#marked).join("");
  }

  take(): string {
    const line = this.#pieces.join("");
    this.#pieces = [];
    this.#marked = 0;
    this.isBlank = true;
    this.endsInSpace = true;
    return line;
  }
}
