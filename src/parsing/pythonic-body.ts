import { closeBracket, comma, openBracket, openParenthesis } from "./char-code.ts";
import type { Body } from "./format.ts";
import { balancedExtent } from "./json-extent.ts";
import { markerSet } from "./marker-set.ts";
import { readPythonCalls } from "./python-calls.ts";
import { acceptAfterSpace, isWord, peek, type Reading, readName, skipSpace } from "./reader.ts";
import type { Scanner } from "./scanner.ts";

export type PythonicRules = {
  readonly ends?: readonly string[];
  /** Whether a call must be to a declared tool, if tools are given: nothing else says that it is one. */
  readonly unmarked?: true;
  /** Turns a name as written into the tool's. */
  readonly toolName?: (written: string) => string;
};

/**
 * Calls written as Python, in a list or line by line. The source stands at the list's bracket or at the first name.
 */
export function pythonicBody(rules: PythonicRules): Body {
  const ends = markerSet(rules.ends ?? []);
  return function* (scanner) {
    const { source } = scanner;
    const reported = scanner.calls;
    let read = 0;
    let listed = false;
    for (;;) {
      const code = yield* skipSpace(source);
      if (code === openBracket && read === 0 && !listed) {
        listed = true;
        source.pos++;
      } else if (code === comma && read > 0) {
        source.pos++;
      } else if (isNameStart(code)) {
        const outcome = yield* readCall(scanner, rules);
        if (outcome === "cut") return true;
        if (outcome === "not_a_call") {
          if (read > 0) scanner.putBack();
          return read > 0;
        }
        read++;
      } else {
        if (code === closeBracket && listed) source.pos++;
        break;
      }
    }
    if (rules.unmarked) return read > 0;
    const end = yield* acceptAfterSpace(source, ends);
    if (end !== undefined && read > 0 && scanner.calls === reported) scanner.plain(end);
    if (read > 0 || end !== undefined || listed) return true;
    if (!source.exhausted) return false;
    scanner.incomplete();
    return true;
  };
}

/** Reads one call and reports it; where it is marked, also when it cannot be read, so that those after it can be. */
function* readCall(scanner: Scanner, rules: PythonicRules): Reading<"read" | "cut" | "not_a_call"> {
  const { source, tools } = scanner;
  const from = source.offset;
  if (rules.unmarked && from < scanner.unmarkedFloor) return "not_a_call";
  const name = yield* readName(source, isNamePart);
  if ((yield* peek(source)) !== openParenthesis) {
    if (rules.unmarked || !source.ended || !source.exhausted) return "not_a_call";
    scanner.incomplete();
    return "cut";
  }
  if (rules.unmarked && tools.known && !tools.declares(name)) return "not_a_call";
  if (!rules.unmarked) scanner.begin(toolName(rules, name));
  const extent = yield* balancedExtent(source);
  let text = name + extent.text;
  if (!extent.complete && source.ended && source.exhausted) {
    const cut = firstEnd(text, rules.ends ?? []);
    if (cut < 0 && !(rules.unmarked && !tools.known)) {
      scanner.incomplete(toolName(rules, name));
      return "cut";
    }
    if (cut >= 0) {
      text = withoutBracket(text.slice(0, cut));
      source.rewind(from + cut);
    }
  }
  const calls = readPythonCalls(text);
  if (calls) {
    for (const call of calls) scanner.call(toolName(rules, call.name), call.arguments);
    return "read";
  }
  if (rules.unmarked) {
    scanner.unmarkedFloor = source.offset;
    return "not_a_call";
  }
  scanner.malformed("not_readable");
  return "read";
}

function toolName(rules: PythonicRules, written: string): string {
  return rules.toolName?.(written) ?? written;
}

/** Without the bracket that ends the list. */
function withoutBracket(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith("]") ? trimmed.slice(0, -1) : trimmed;
}

function firstEnd(text: string, ends: readonly string[]): number {
  const found = ends.map((end) => text.indexOf(end)).filter((at) => at >= 0);
  return found.length > 0 ? Math.min(...found) : -1;
}

function isNameStart(code: number): boolean {
  return isWord(code) && (code < 48 || code > 57);
}

function isNamePart(code: number): boolean {
  return isWord(code) || code === 45 || code === 46;
}
