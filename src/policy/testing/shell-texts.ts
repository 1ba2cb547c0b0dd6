import fc from "fast-check";

/** Programs that succeed and programs that fail; all are stubs. */
export const programs = ["alpha", "beta", "gamma", "delta"] as const;
export const failing = ["nope", "never"] as const;
export const wrappers = ["env", "timeout", "nice", "nohup", "xargs", "setsid", "stdbuf"] as const;

const program = fc.constantFrom(...programs, ...failing);
const blank = fc.constantFrom(" ", "  ", "\t", " \\\n", "\\\n ");

/** The same name in the many ways bash reads it. */
const spelling = program.chain((name) => {
  const middle = Math.floor(name.length / 2);
  const [head, tail] = [name.slice(0, middle), name.slice(middle)];
  const hex = [...name].map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join("");
  return fc.constantFrom(
    ...Array<string>(40).fill(name),
    `'${name}'`,
    `"${name}"`,
    `\\${name}`,
    `${head}'${tail}'`,
    `${head}""${tail}`,
    `${head}\\\n${tail}`,
    `$'${hex}'`,
    `{${name},x}`,
    `$(echo ${name})`,
  );
});

const simpleWord = fc.constantFrom(
  "x",
  "-n",
  "--all=1",
  "a.b",
  "*.q",
  "[ab]",
  "~",
  "a=b",
  "#x",
  "a#b",
  "'gamma; beta'",
  "'a b'",
  '"a;gamma"',
  '"  a|b "',
  '"it\'s"',
  "'\"'",
  "\\;",
  "\\|",
  "\\&",
  "\\#",
  "\\ ",
  "$'a\\'b'",
  "$'\\x3b'",
  "{a,b}",
  "{1..2}",
  "$x",
  '"$x $' + '{x:-y}"',
  "$?",
  "$((1+1))",
  "!",
  "%",
  "done",
  "fi",
  "then",
  "}",
);

export const shellText = fc.letrec<{ word: string; command: string; statement: string; script: string }>(
  (tie) => ({
    word: fc.oneof(
      { maxDepth: 2 },
      { weight: 25, arbitrary: simpleWord },
      { weight: 1, arbitrary: tie("script").map((script) => `$(${script})`) },
      {
        weight: 1,
        arbitrary: tie("command").map((command) => (/[`\\]/.test(command) ? "x" : `\`${command}\``)),
      },
      { weight: 1, arbitrary: tie("script").map((script) => `"a $(${script}) b"`) },
      { weight: 1, arbitrary: tie("command").map((command) => `<(${command})`) },
      { weight: 1, arbitrary: tie("command").map((command) => `\${x:-$(${command})}`) },
    ),
    command: fc
      .record({
        assignment: fc.constantFrom("", "", "", "A=1 ", "A='b c' ", "A=$(beta) "),
        wrapper: fc.constantFrom(
          "",
          "",
          "",
          "",
          ...wrappers,
          "command",
          "exec",
          "time",
          "!",
          "builtin command",
        ),
        name: spelling,
        words: fc.array(tie("word"), { maxLength: 3 }),
        gap: blank,
        redirect: fc.constantFrom(
          "",
          "",
          "",
          " >out",
          " 2>&1",
          " >>out",
          " <in",
          " 2>/dev/null",
          " &>out",
          " <<<beta",
        ),
        shell: fc.constantFrom("", "", "", "", "sh -c", "bash -c", "eval", "eval --"),
      })
      .map(({ assignment, wrapper, name, words, gap, redirect, shell }) => {
        const wrapped = wrapper === "timeout" ? "timeout 5" : wrapper;
        const plain = [name, ...words].join(gap) + redirect;
        if (shell && !plain.includes("'") && !plain.includes("\n")) return `${assignment}${shell} '${plain}'`;
        return assignment + (wrapped ? `${wrapped} ` : "") + plain;
      }),
    statement: fc.oneof(
      { maxDepth: 3 },
      { weight: 25, arbitrary: tie("command") },
      { weight: 1, arbitrary: tie("script").map((script) => `(${script})`) },
      { weight: 1, arbitrary: tie("script").map((script) => `{ ${script}\n}`) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(tie("script"), tie("script"))
          .map(([a, b]) => `if ${a}\nthen ${b}\nelse ${a}\nfi`),
      },
      { weight: 1, arbitrary: tie("script").map((script) => `for x in a b; do ${script}\ndone`) },
      { weight: 1, arbitrary: tie("script").map((script) => `until alpha; do ${script}\ndone`) },
      { weight: 1, arbitrary: tie("script").map((script) => `while nope; do ${script}\ndone`) },
      { weight: 1, arbitrary: tie("script").map((script) => `case x in y) nope;; *) ${script}\n;; esac`) },
      { weight: 1, arbitrary: tie("script").map((script) => `fun() { ${script}\n}; fun`) },
      { weight: 1, arbitrary: tie("command").map((command) => `cat <<EOF\na $(${command})\nEOF\n`) },
      { weight: 1, arbitrary: tie("command").map((command) => `bash <<'EOF'\n${command}\nEOF\n`) },
      { weight: 1, arbitrary: tie("command").map((command) => `[[ -n $(${command}) ]]`) },
      { weight: 1, arbitrary: tie("command").map((command) => `y=$(${command})`) },
    ),
    script: fc
      .tuple(
        tie("statement"),
        fc.array(
          fc.tuple(
            fc.constantFrom(" && ", " || ", "; ", " | ", "\n", " & ", " |& ", "&&", "|", " # gamma\n"),
            tie("statement"),
          ),
          {
            maxLength: 2,
          },
        ),
      )
      .map(([first, rest]) => first + rest.map(([sign, statement]) => sign + statement).join("")),
  }),
).script;

const signs = [
  "'",
  '"',
  "`",
  "$",
  "(",
  ")",
  "{",
  "}",
  ";",
  "&",
  "|",
  "<",
  ">",
  "#",
  "\n",
  " ",
  "\\",
  "=",
  "!",
  "*",
  "[",
  "]",
  "\t",
  "\r",
  ",",
  "-",
  "\\\n",
  "$(",
  "<<",
  "((",
  "$'",
  '$"',
  "a",
];

/** A text with a few signs put in, taken out or doubled: what no grammar would write. */
export const brokenShellText = fc
  .tuple(
    shellText,
    fc.array(fc.record({ at: fc.nat(), sign: fc.constantFrom(...signs), cut: fc.nat({ max: 2 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
  )
  .map(([text, changes]) =>
    changes.reduce((changed, { at, sign, cut }) => {
      const place = at % (changed.length + 1);
      return changed.slice(0, place) + sign + changed.slice(place + cut);
    }, text),
  );
