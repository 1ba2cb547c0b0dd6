import type { Assignment } from "../shell/shell-part.ts";
import { type Finding, high, medium } from "./finding.ts";

/** They change how much a program says, in which language, or which mode it is in, and nothing else. */
const harmless: ReadonlySet<string> = new Set(
  `CI NODE_ENV RAILS_ENV APP_ENV FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM LANG LANGUAGE LC_ALL LC_CTYPE
  LC_COLLATE LC_MESSAGES TZ DEBUG VERBOSE RUST_BACKTRACE RUST_LOG COLUMNS LINES PORT TEST UPDATE_SNAPSHOTS
  PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE DEBIAN_FRONTEND CARGO_TERM_COLOR CARGO_INCREMENTAL
  HOMEBREW_NO_AUTO_UPDATE NEXT_TELEMETRY_DISABLED DO_NOT_TRACK GIT_OPTIONAL_LOCKS GIT_TERMINAL_PROMPT`.split(
    /\s+/,
  ),
);

/** They make a harmless program load or run another. */
const running =
  /^(PATH|LD_\w+|DYLD_\w+|IFS|ENV|BASH_ENV|BASH_FUNC\w*|SHELLOPTS|BASHOPTS|PS[0-4]|PROMPT_COMMAND|CDPATH|GLOBIGNORE|SHELL|EDITOR|VISUAL|PAGER|BROWSER|\w+_(PAGER|EDITOR|BROWSER|ASKPASS|COMMAND|CMD|OPTIONS|OPTS|FLAGS|PRELOAD|STARTUP|PATH|HOME|CONFIG|RC)|GIT_\w+|NODE_\w+|NPM_\w+|PYTHON\w+|PERL\w+|RUBY\w+|JAVA_\w+|JDK_\w+|MAVEN_\w+|GRADLE_\w+|LESS\w*|MANPAGER|SSH_\w+|SUDO_\w+|RUSTC\w*|RUSTFLAGS|CARGO_\w+|CC|CXX|LD|AR|AS|MAKEFLAGS|GOFLAGS|HOME|TMPDIR|XDG_\w+|http_proxy|https_proxy|all_proxy|HTTP_PROXY|HTTPS_PROXY|ALL_PROXY)$/;

/** What is wrong with setting a variable for a program. */
export function assignmentFinding({ name, value }: Assignment): Finding | undefined {
  if (harmless.has(name) && !value.dynamic && !value.glob && /^[\w.,:@+*-]*$/.test(value.text))
    return undefined;
  if (running.test(name)) return high(`It sets ${name}, which can make a program run another.`);
  return medium(`It sets ${name} for the program.`);
}

/** A plain variable of the shell, which no program gets: `x=1`. */
export function shellVariableFinding(assignment: Assignment): Finding | undefined {
  if (/^[a-z][a-z0-9_]*$/.test(assignment.name) && !running.test(assignment.name)) return undefined;
  return assignmentFinding(assignment);
}
