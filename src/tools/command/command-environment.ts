export type Environment = Readonly<Record<string, string | undefined>>;

/** Anywhere in a name. */
const secretWords = /token|secret|passw|passphrase|credential|api_?key|private_?key|access_?key/i;
/** Only as a word of their own: there are a MONKEY, a KEYMAP and a COMPASS. */
const secretNames = /(?:^|_)(?:key|keys|auth|pass|pwd|pat|cookie|dsn|jwt|bearer)(?:_|$)/i;
const neededNames =
  /^(?:PWD|OLDPWD|SSH_AUTH_SOCK|TOKENIZERS_PARALLELISM|XAUTHORITY|GPG_TTY|GIT_CONFIG_KEY_\d+)$/;
/** Keys that can be told by how they begin, whatever they are called. */
const secretValues =
  /^(?:sk-|sk_live_|rk_live_|gh[opsu]_|github_pat_|glpat-|xox[abprs]-|AKIA[0-9A-Z]{12}|AIza|hf_|npm_|pypi-|-----BEGIN )/;

export function isSecretVariable(name: string, value = ""): boolean {
  if (neededNames.test(name)) return false;
  return secretWords.test(name) || secretNames.test(name) || secretValues.test(value.trim());
}

/** Programs that would wait for a person, or decorate what no person sees, do neither. */
const forUnattended: Environment = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  DEBIAN_FRONTEND: "noninteractive",
  PYTHONUNBUFFERED: "1",
};

export type EnvironmentOptions = {
  /** Names to leave out besides those that look like secrets. */
  readonly secretVariables?: readonly string[];
};

/** What a command may know of the user's environment: not what opens doors. */
export function commandEnvironment(
  env: Environment,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const secret = new Set(options.secretVariables?.map((name) => name.toUpperCase()));
  const kept = Object.entries({
    ...env,
    FORCE_COLOR: undefined,
    ...forUnattended,
    ...gitConfiguration(env),
  });
  const result: Record<string, string> = {};
  for (const [name, value] of kept) {
    if (value === undefined || secret.has(name.toUpperCase()) || isSecretVariable(name, value)) continue;
    result[name] = value;
  }
  return result;
}

/** A repository's own configuration can name a program that every `git status` runs; this one wins over it. */
function gitConfiguration(env: Environment): Environment {
  const given = Number(env.GIT_CONFIG_COUNT ?? 0);
  const count = Number.isSafeInteger(given) && given >= 0 ? given : 0;
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: "core.fsmonitor",
    [`GIT_CONFIG_VALUE_${count}`]: "false",
  };
}
