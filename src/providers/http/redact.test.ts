import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { headerSecrets, redact, redactJson } from "./redact.ts";

const key = "sk-proj-abcdefghijklmnop";

describe("a key in a text", () => {
  it.each([
    [`Incorrect API key provided: ${key}.`, "Incorrect API key provided: [redacted]."],
    [`${key}${key}`, "[redacted][redacted]"],
    ["cut after a while: sk-proj-abcdefgh…", "cut after a while: [redacted]…"],
    ["only sk-proj- is shown", "only sk-proj- is shown"],
    ["sk-proj-****mnop", "sk-proj-****mnop"],
    ["nothing", "nothing"],
  ])("%j becomes %j", (text, expected) => {
    expect(redact(text, [key])).toBe(expected);
  });

  it("is found in an address and inside JSON as well", () => {
    const odd = 'a b"c\\d/e\nf+g';
    expect(redact(`?key=${encodeURIComponent(odd)}&x`, [odd])).toBe("?key=[redacted]&x");
    expect(redact(JSON.stringify({ said: odd }), [odd])).toBe('{"said":"[redacted]"}');
  });

  it("leaves nothing behind when one secret ends in another", () => {
    expect(redact("Bearer sk-secret-1", ["sk-secret-1", "Bearer sk-secret-1"])).toBe("[redacted]");
  });

  it("that is too short to be one is left: a local server's key may be any word", () => {
    expect(redact("no x here", ["x", ""])).toBe("no x here");
  });
});

describe("a key in JSON", () => {
  it("is taken out of texts and names at any depth", () => {
    expect(redactJson({ [key]: [key, { deep: `<${key}>` }], n: 5, yes: true, no: null }, [key])).toEqual({
      "[redacted]": ["[redacted]", { deep: "<[redacted]>" }],
      n: 5,
      yes: true,
      no: null,
    });
  });

  it("leaves the structure alone when a secret looks like a piece of JSON", () => {
    expect(redactJson({ a: "bcdef" }, ['{"a":"bcdef"}', '":"bcd'])).toEqual({ a: "bcdef" });
  });
});

it("the token of a header is a secret without the word before it, too", () => {
  expect(headerSecrets({ authorization: "Bearer sk-1234567", "x-other": "plain" })).toEqual([
    "Bearer sk-1234567",
    "sk-1234567",
    "plain",
  ]);
});

describe("for any secret and any text around it", () => {
  const secret = fc
    .string({ minLength: 6, maxLength: 60, unit: "grapheme" })
    .filter((text) => !"[redacted]".includes(text));

  it("the secret is gone", () => {
    fc.assert(
      fc.property(secret, fc.string(), fc.string(), (hidden, before, after) => {
        expect(redact(before + hidden + after, [hidden]).replaceAll("[redacted]", "\u0000")).not.toContain(
          hidden,
        );
      }),
    );
  });

  it("so is any beginning of it that is long enough to tell", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 13, unit: fc.constantFrom(..."abcdef0123456789") }),
        fc.nat(),
        (hidden, at) => {
          const shown = hidden.slice(0, 12 + (at % (hidden.length - 11)));
          expect(redact(`<${shown}>`, [hidden])).toBe("<[redacted]>");
        },
      ),
    );
  });
});
