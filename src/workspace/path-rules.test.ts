import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isProtectedPath } from "./protected-path.ts";
import { isSecretPath } from "./secret-path.ts";

describe("a secret path", () => {
  test.each([
    ".env",
    "app/.env",
    ".ENV",
    ".env.production",
    ".Env.Local",
    "prod.env",
    "./a/../.env",
    "/home/me/project/.env",
    ".npmrc",
    ".netrc",
    "server.pem",
    "id_rsa",
    "ID_RSA",
    "keys/id_ed25519",
    "id_rsa.bak",
    ".ssh",
    ".ssh/",
    ".ssh/config",
    ".ssh/id_rsa.pub",
    ".aws/credentials",
    ".kube/config",
    ".docker/config.json",
    "credentials",
    "config/credentials.json",
    "terraform.tfstate",
    ".env ",
    ".env.",
    ".e\u200bnv",
    ".aws\\credentials",
    ".ｅnv",
  ])("is %j", (path) => expect(isSecretPath(path)).toBe(true));

  test.each([
    ".env.example",
    ".env.local.sample",
    "environment.ts",
    "src/env.ts",
    "id_rsa.pub",
    "src/credentials.ts",
    "docker/config.json",
    "kube/config",
    "ssh/config",
    "secret-path.ts",
    "tokens.ts",
    ".",
    "",
    "key",
  ])("is not %j", (path) => expect(isSecretPath(path)).toBe(false));

  test("is one in every case and in every folder", () => {
    const folders = fc.array(fc.constantFrom("a", "src", "Deep", "..x"), { maxLength: 3 });
    const name = fc.constantFrom(".env", ".npmrc", "id_rsa", "x.pem", ".aws/config", ".ssh/known_hosts");
    fc.assert(
      fc.property(folders, name, fc.infiniteStream(fc.boolean()), (parents, secret, upper) => {
        const cased = [...secret]
          .map((letter) => (upper.next().value ? letter.toUpperCase() : letter))
          .join("");
        expect(isSecretPath([...parents, cased].join("/"))).toBe(true);
      }),
    );
  });
});

describe("a protected path", () => {
  test.each([
    ".git/hooks/pre-commit",
    ".GIT/Hooks/pre-commit",
    "sub/.git/config",
    ".git",
    ".gitattributes",
    ".aintern/settings.json",
    ".AIntern/Settings.json",
    ".bashrc",
    ".zshenv",
    ".Profile",
    ".config/fish/config.fish",
    ".vscode/tasks.json",
    ".husky/pre-push",
    ".envrc",
    ".npmrc",
    "vendor/HEAD",
    "Library/LaunchAgents/x.plist",
    ".git./hooks/x",
    ".ssh/authorized_keys",
    ".env",
    ".git/hooks/two\nlines",
    ".git/two\nlines/x",
  ])("is %j", (path) => expect(isProtectedPath(path)).toBe(true));

  test.each([
    ".github/dependabot.yml",
    "git/config",
    "src/hooks/use.ts",
    ".gitignore",
    "bashrc.md",
    "README.md",
  ])("is not %j", (path) => expect(isProtectedPath(path)).toBe(false));
});

test("no path makes either of them throw or wait", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (path) => {
      expect(typeof isSecretPath(path)).toBe("boolean");
      expect(typeof isProtectedPath(path)).toBe("boolean");
    }),
  );
  expect(isSecretPath(`${"a.env".repeat(500_000)}/${"../".repeat(500_000)}x`)).toBe(true);
});
