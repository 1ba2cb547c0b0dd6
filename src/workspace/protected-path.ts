import { matchesAny } from "./path-patterns.ts";
import { isSecretPath } from "./secret-path.ts";

const runsThings = matchesAny([
  // Git runs hooks, filters and whatever its configuration names. A file `HEAD` can turn any folder into a repository.
  ".git/**",
  ".gitattributes",
  ".gitmodules",
  ".gitconfig",
  ".config/git/**",
  "HEAD",
  ".husky/**",
  ".githooks/**",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  ".lefthook.yml",
  // What agents and editors obey
  ".aintern/**",
  ".agents/**",
  ".claude/**",
  ".cursor/**",
  ".mcp.json",
  ".vscode/**",
  ".idea/**",
  "*.code-workspace",
  ".devcontainer/**",
  ".vimrc",
  ".exrc",
  ".nvimrc",
  ".emacs",
  ".dir-locals.el",
  // Shells at their start
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".profile",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".login",
  ".logout",
  ".inputrc",
  ".config/fish/**",
  "profile.ps1",
  "*_profile.ps1",
  // Sessions and services at theirs
  ".xinitrc",
  ".xprofile",
  ".xsession",
  ".config/autostart/**",
  ".config/systemd/**",
  "LaunchAgents/**",
  ".tmux.conf",
  ".screenrc",
  // Programs that run code their configuration names
  ".envrc",
  ".npmrc",
  ".yarnrc",
  ".yarnrc.yml",
  ".pnpmfile.cjs",
  ".cargo/config",
  ".cargo/config.toml",
  ".bazelrc",
  ".gdbinit",
  ".lldbinit",
  ".curlrc",
  ".wgetrc",
  ".ripgreprc",
  "sitecustomize.py",
  "usercustomize.py",
]);

/**
 * Whether a change of this file makes other programs run something, now or later, or changes what may run. Such a write
 * is never like any other, also where writing is allowed.
 */
export function isProtectedPath(path: string): boolean {
  return runsThings(path) || isSecretPath(path);
}
