import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Source } from "./source.ts";

describe("the window on the text", () => {
  it("gives back what is kept, however the text came", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1 }),
        fc.nat(),
        (chunks, at) => {
          const whole = chunks.join("");
          const from = at % whole.length;
          const source = new Source();
          for (const chunk of chunks) {
            source.append(chunk);
            while (!source.exhausted) {
              if (source.offset === from) source.keep(from);
              source.pos++;
            }
          }
          expect(source.range(from)).toBe(whole.slice(from));
          source.rewind(from);
          expect(source.offset).toBe(from);
          expect(source.text.slice(source.pos)).toBe(whole.slice(from));
        },
      ),
    );
  });
});
