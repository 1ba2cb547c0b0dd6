import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exactPattern, matchesCommand, parseCommandPattern } from "./command-pattern.ts";
import { hostOf, matchesHost, parseHostPattern } from "./host-pattern.ts";
import { exactPathPattern, matchesPath, parsePathPattern } from "./path-pattern.ts";
import { compareSpecificity, isExactRule, matchesTool, type PolicyRule, parseRule } from "./policy-rule.ts";

const rule = (text: string): PolicyRule => parseRule(text, { effect: "allow", source: "user" });
const matches = (pattern: string, command: string) =>
  matchesCommand(parseCommandPattern(pattern), command.split(" "));

describe("a command pattern", () => {
  it.each([
    ["git log *", "git log", true],
    ["git log *", "git log -1", true],
    ["git log *", "git logout", false],
    ["git log *", "git", false],
    ["git log", "git log -1", false],
    ["npm run 'test:'*", "npm run test:unit", true],
    ["npm run 'test:'*", "npm run build", false],
    ["npm run * --watch", "npm run a --watch", true],
    ["npm run * --watch", "npm run a b --watch", false],
    ["* --version", "node --version", true],
    ["a*b*c x", "aXbYc x", true],
    ["a*b*c x", "abXc x", true],
    ["a*b*c x", "acb x", false],
    ["ab*ba x", "aba x", false],
    ["echo '*'", "echo *", true],
    ["echo '*'", "echo a", false],
    ["echo \\*", "echo a", false],
  ])("%s speaks for %j: %s", (pattern, command, expected) => {
    expect(matches(pattern, command)).toBe(expected);
  });

  it("keeps quoted words together", () => {
    const pattern = parseCommandPattern(`git commit -m "a b" 'c d'`);
    expect(matchesCommand(pattern, ["git", "commit", "-m", "a b", "c d"])).toBe(true);
    expect(matchesCommand(pattern, ["git", "commit", "-m", "a", "b", "c d"])).toBe(false);
  });

  it.each(["", "  ", "'open", 'a "b'])("cannot be %j", (pattern) => {
    expect(() => parseCommandPattern(pattern)).toThrow();
  });

  it("written as in other agents is refused with the right way", () => {
    expect(() => rule("run_command(git log:*)")).toThrow("write `git log *`");
  });

  it("made of any words matches them and nothing else", () => {
    const words = fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(words, words, (own, other) => {
        const pattern = parseCommandPattern(exactPattern(own));
        expect(matchesCommand(pattern, own)).toBe(true);
        expect(matchesCommand(pattern, other)).toBe(JSON.stringify(own) === JSON.stringify(other));
      }),
    );
  });
});

describe("a path pattern", () => {
  const at = (pattern: string, relative: string, absolute = `/r/proj/${relative}`) =>
    matchesPath(parsePathPattern(pattern), { absolute, relative }, { home: "/home/me" });

  it.each([
    ["src/**", "src/a.ts", true],
    ["src/**", "src/a/b.ts", true],
    ["src/", "src/a/b.ts", true],
    ["src/**", "srcs/a.ts", false],
    ["./src/*.ts", "src/a.ts", true],
    ["*.log", "a.log", true],
    ["*.log", "a/b.log", false],
    ["**/*.log", "a/b.log", true],
    ["**", ".env", true],
    ["/r/proj/a", "a", true],
    ["!src/**", "a", false],
  ])("%s speaks for %s: %s", (pattern, path, expected) => {
    expect(at(pattern, path)).toBe(expected);
  });

  it("from the workspace speaks for nothing outside, and from home for what is there", () => {
    expect(matchesPath(parsePathPattern("**"), { absolute: "/etc/passwd" })).toBe(false);
    const home = { absolute: "/home/me/notes/a" };
    expect(matchesPath(parsePathPattern("~/notes/**"), home, { home: "/home/me" })).toBe(true);
  });

  it("cannot climb", () => {
    expect(() => rule("write_file(../x)")).toThrow("must not hold `..`");
  });

  it("made of any path matches it", () => {
    const name = fc.stringMatching(/^[\w*?[\]{}()!+@ ,.-]+$/).filter((text) => !/^\.+$|^ | $/.test(text));
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 3 }), (names) => {
        const path = names.join("/");
        expect(at(exactPathPattern(path), path)).toBe(true);
      }),
    );
  });
});

describe("a host pattern", () => {
  const at = (pattern: string, url: string) => {
    const host = hostOf(url);
    return host !== undefined && matchesHost(parseHostPattern(pattern), host);
  };

  it.each([
    ["trusted.io", "https://trusted.io/x", true],
    ["trusted.io", "https://TRUSTED.io./x", true],
    ["trusted.io", "https://trusted.io.evil.com/", false],
    ["trusted.io", "https://nottrusted.io/", false],
    ["trusted.io", "https://evil.com/trusted.io", false],
    ["trusted.io", "https://trusted.io@evil.com/", false],
    ["trusted.io", "https://www.trusted.io/", false],
    ["*.trusted.io", "https://www.trusted.io/", true],
    ["*.trusted.io", "https://trusted.io/", false],
    ["*.trusted.io", "https://xtrusted.io/", false],
    ["*", "https://any.example/", true],
  ])("%s speaks for %s: %s", (pattern, url, expected) => {
    expect(at(pattern, url)).toBe(expected);
  });

  it.each(["", "a b", "x/y", "*.*.io", "me@host", "tru*ed.io"])("cannot be %j", (pattern) => {
    expect(() => parseHostPattern(pattern)).toThrow("must name a host");
  });
});

describe("a rule", () => {
  it.each(["", "(x)", "run command", "run_command(x", "a)b("])("cannot be %j", (text) => {
    expect(() => rule(text)).toThrow("must be a tool's name");
  });

  it.each(["toString", "__proto__", "constructor", "hasOwnProperty"])(
    "for a tool named %s is an ordinary rule",
    (name) => {
      expect(matchesTool(rule(name), name)).toBe(true);
      expect(matchesTool(rule(name), "read_file")).toBe(false);
      expect(matchesTool(rule("read_file"), name)).toBe(false);
    },
  );

  it("can speak for many tools", () => {
    expect(matchesTool(rule("mcp_*"), "mcp_files")).toBe(true);
    expect(matchesTool(rule("mcp_*"), "other")).toBe(false);
    expect(matchesTool(rule("a.c"), "abc")).toBe(false);
    expect(matchesTool(rule("*"), "anything")).toBe(true);
  });

  it("counts the more the more it says", () => {
    const texts = [
      "*",
      "run_command",
      "run_command(git *)",
      "run_command(git log *)",
      "run_command(git log -1)",
    ];
    const rules = texts.map(rule);
    expect(rules.toReversed().toSorted(compareSpecificity)).toEqual(rules);
    expect(rules.map(isExactRule)).toEqual([false, false, false, false, true]);
  });
});
