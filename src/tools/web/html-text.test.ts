import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeEntities } from "./html-entities.ts";
import { htmlToText } from "./html-text.ts";

const base = new URL("https://site.test/docs/page");
const text = (html: string) => htmlToText(html, base).text;

describe("a page", () => {
  test("is read as a person reads it", () => {
    const html = `<!doctype html><html><head><title>A &amp; B</title><style>p { color: red }</style>
      <script>if (a < b) document.write("</p>")</script></head><body>
      <nav><a href="/">Home</a></nav>
      <main><h1>Head <em>ing</em></h1><p>Some   <b>bold</b>
      words &mdash; and a <a href="../other?q=1&amp;r=2">link</a>.</p>
      <ul><li>one<li>two <ul><li>deeper</li></ul></li></ul>
      <pre><code>a &lt; b
    indented</code></pre>
      <table><tr><th>k</th><th>v</th></tr><tr><td>1</td><td>2</td></tr></table>
      <p>use <code>x</code><br>next<img src=x alt="a picture"></p></main><footer>Imprint</footer>`;
    expect(htmlToText(html, base)).toEqual({
      title: "A & B",
      text: [
        "# Head ing",
        "",
        "Some bold words — and a [link](https://site.test/other?q=1&r=2).",
        "",
        "- one",
        "- two",
        "  - deeper",
        "",
        "```",
        "a < b",
        "    indented",
        "```",
        "",
        "k | v",
        "1 | 2",
        "",
        "use `x`",
        "nexta picture",
      ].join("\n"),
    });
  });

  test.each([
    ["a < b and <3", "a < b and <3"],
    ["<p>open <b>never <i>closed", "open never closed"],
    ["before<!-- <p>hidden</p> -->after", "beforeafter"],
    ["<!-- never closed <p>x", ""],
    ['<a href="javascript:alert(1)">x</a>', "x"],
    ["<a href='data:text/html,x'>x</a>", "x"],
    ["<script>never closed <p>x</p>", ""],
    ['<img alt="<script>alert(1)</script>">', "<script>alert(1)</script>"],
    ["<p title='>'>x</p>", "x"],
    ["<SCRIPT>x</ScRiPt>y", "y"],
    ["<head><meta charset=utf-8><body>no end of head", "no end of head"],
    ["</p></div>text</ul></pre>", "text"],
    ["<custom-element>words</custom-element>", "words"],
    ["", ""],
  ])("%j gives %j", (html, expected) => expect(text(html)).toBe(expected));

  test("no markup makes it throw, and words stay", () => {
    const piece = fc.constantFrom(
      "<",
      ">",
      "/",
      "a",
      "p",
      "script",
      "<p>",
      "</p>",
      "<pre>",
      "</pre>",
      "<ul>",
      "<li>",
      "<a href='",
      '"',
      "'",
      "=",
      " ",
      "\n",
      "<!--",
      "-->",
      "&",
      "amp;",
      "#",
      "<title>",
      "</a>",
      "<td>",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(typeof text(pieces.join(""))).toBe("string");
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{1,20}$/), (word) => {
        expect(text(`<div><p>${word}</div>`)).toBe(word);
      }),
    );
  });

  test.each([
    ['<a =">"', 100_000],
    ["<a href=x>a</a> ", 60_000],
    ["<", 1_000_000],
    ["<ul><li>", 60_000],
    ["<!--", 200_000],
    ["&", 1_000_000],
    ["word ", 200_000],
    ["<pre>a\n", 60_000],
    ["<script>", 100_000],
  ])("%j, very many times, is read in time that a reader does not notice", (piece, times) => {
    const startedAt = performance.now();
    text(piece.repeat(times));
    // Reading again from each tag on would take hours.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});

test.each([
  ["&lt;&gt;&amp;&quot;&#39;&#x27;", "<>&\"''"],
  ["&eacute;&Uuml;&ntilde;&ccedil;&scaron;", "éÜñçš"],
  ["&#8364;&#x20AC;&#128;", "€€€"],
  ["&#0;&#xD800;&#9999999;", "\ufffd\ufffd\ufffd"],
  ["&unknown; & &;", "&unknown; & &;"],
  ["&constructor;&toString;", "&constructor;&toString;"],
  ["&nbsp;x", " x"],
])("%s is %s", (written, read) => expect(decodeEntities(written)).toBe(read));
