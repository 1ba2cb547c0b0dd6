import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.ts";
import { type Body, defineFormat } from "../format.ts";
import { markerSet } from "../marker-set.ts";
import { acceptAfterSpace, type Reading, readUntil } from "../reader.ts";
import type { Scanner } from "../scanner.ts";
import { guessedValue, typedValue } from "../typed-value.ts";
import { interleavedThinkTags } from "./thinking-styles.ts";

const prefix = "]<]minimax[>[";
const sectionOpen = `${prefix}<tool_call>`;
const sectionClose = `${prefix}</tool_call>`;
const callOpen = `${prefix}<invoke name="`;
const callClose = `${prefix}</invoke>`;
const maxDepth = 100;

const callOpens = markerSet([callOpen]);
const sectionEnds = markerSet([sectionClose]);
const bodyEnds = markerSet([callClose, sectionClose, callOpen, sectionOpen]);
const nameEnd = markerSet(['">']);

/** Every tag carries a prefix that no text has, so a call is read whole and then taken apart. */
const section: Body = function* (scanner) {
  const { source } = scanner;
  for (let count = 0; ; count++) {
    if ((yield* acceptAfterSpace(source, callOpens)) === undefined) {
      const ended = (yield* acceptAfterSpace(source, sectionEnds)) !== undefined;
      if (!ended && count === 0 && source.ended && source.exhausted) scanner.incomplete();
      return ended || count > 0 || (source.ended && source.exhausted);
    }
    if (!(yield* readCall(scanner))) return true;
  }
};

function* readCall(scanner: Scanner): Reading<boolean> {
  const { source } = scanner;
  const header = yield* readUntil(source, nameEnd, 256);
  if (header.marker === undefined) {
    scanner.incomplete();
    return false;
  }
  source.pos += header.marker.length;
  const name = header.text;
  scanner.begin(name);
  const body = yield* readUntil(source, bodyEnds);
  if (body.marker === undefined) {
    scanner.incomplete(name);
    return false;
  }
  if (body.marker === callClose) source.pos += callClose.length;
  const args = readTags(scanner, name, body.text);
  if (args) {
    scanner.call(name, args);
    return true;
  }
  yield* acceptAfterSpace(source, sectionEnds);
  scanner.malformed("not_readable", name);
  return false;
}

type Element = { readonly tag: string; readonly children: Element[]; text: string; raw: string };

function readTags(scanner: Scanner, tool: string, body: string): JsonObject | undefined {
  const root: Element = { tag: "", children: [], text: "", raw: "" };
  const stack = [root];
  const pieces = body.split(prefix);
  for (const piece of pieces.slice(1)) {
    const tag = /^<(\/?)([^<>]+)>/.exec(piece);
    const top = stack.at(-1);
    if (!tag || !top || stack.length > maxDepth) return undefined;
    const text = piece.slice(tag[0].length);
    if (tag[1] === "/") {
      if (top.tag !== tag[2] || stack.length === 1) return undefined;
      stack.pop();
      for (const outer of stack) outer.raw += prefix + piece;
    } else {
      const element: Element = { tag: tag[2] ?? "", children: [], text, raw: text };
      for (const outer of stack) outer.raw += prefix + piece;
      top.children.push(element);
      stack.push(element);
    }
  }
  if (stack.length !== 1) return undefined;
  const schema = scanner.tools.schemaOf(tool);
  return objectFrom(root, schema, schema);
}

function objectFrom(
  element: Element,
  schema: JsonValue | undefined,
  root: JsonObject | undefined,
): JsonObject {
  const properties = isJsonObject(schema) && isJsonObject(schema.properties) ? schema.properties : {};
  return Object.fromEntries(
    element.children.map((child) => [child.tag, valueFrom(child, properties[child.tag], root)]),
  );
}

function valueFrom(element: Element, schema: JsonValue | undefined, root: JsonObject | undefined): JsonValue {
  if (element.children.length === 0) {
    return schema === undefined ? guessedValue(element.text) : typedValue(element.text, schema, root);
  }
  const options = alternatives(schema);
  if (options.some((option) => option.type === "string")) return element.raw;
  const list = options.find((option) => option.type === "array");
  const isList = element.children.every((child) => child.tag === "item");
  if (isList && (list || options.length === 0)) {
    return element.children.map((child) => valueFrom(child, list?.items, root));
  }
  const object = options.find((option) => isJsonObject(option.properties)) ?? schema;
  return objectFrom(element, object, root);
}

function alternatives(schema: JsonValue | undefined): readonly JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const options = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
  return options.length > 0 ? options.filter(isJsonObject) : [schema];
}

export const minimaxM3Calls = [{ text: sectionOpen, body: section }];

export const minimaxM3 = defineFormat({
  name: "minimax-m3",
  calls: minimaxM3Calls,
  thinking: { ...interleavedThinkTags, open: ["<mm:think>"], close: ["</mm:think>"] },
});
