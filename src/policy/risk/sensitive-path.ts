import picomatch from "picomatch";

/** Names of files that hold keys and passwords, wherever they are. */
const secretNames =
  /^(\.env([.~_-].*)?|\.envrc|.+\.env([.~].*)?|id_(rsa|dsa|ecdsa|ed25519).*|ssh_host_.*_key|.+\.(pem|key|p8|p12|pfx|keystore|jks|kdbx|ppk|ovpn|tfvars|tfstate|tfstate\.backup)|kubeconfig|\.dockercfg|\.s3cfg|\.boto|\.terraformrc|\.netrc|_netrc|\.npmrc|\.yarnrc\.yml|\.pypirc|\.git-credentials|\.pgpass|\.my\.cnf|\.htpasswd|credentials(\.[a-z]+)?|.*service[-_]?account.*\.json|secrets?\.(json|ya?ml|toml|env)|shadow|sudoers|.*_history|auth\.json|hosts\.yml|token|\.vault-token|terraform\.tfstate)$/i;
const notSecret = /^\.env\.(example|sample|template|dist|defaults?|schema)$|\.pub$/i;
const secretFolders =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.docker|\.password-store|\.mozilla|keychains|gcloud|gh|\.config\/gh|\.config\/op)(\/|$)/i;
const secretDevices =
  /^\/proc\/[^/]+\/(task\/[^/]+\/)?(environ|mem|maps|fd|root|cwd)(\/|$)|(^|\/)\.git\/config$|(^|\/)\.env\.d\/|^\/dev\/(mem|kmem|sd|nvme|disk|vd|hd)/i;

/** Whether what is at the path is likely a key or a password. */
export function isSecretPath(path: string): boolean {
  const plain = path.replaceAll("\\", "/");
  const name = plain.slice(plain.lastIndexOf("/") + 1);
  if (notSecret.test(name)) return false;
  return secretNames.test(name) || secretFolders.test(plain) || secretDevices.test(plain);
}

const hidden = [".env", ".env.local", ".netrc", ".npmrc", ".git-credentials"];

/** Whether a pattern would take in a hidden file of that sort, even if there is none now. */
export function isSecretGlob(glob: string): boolean {
  if (secretFolders.test(glob)) return true;
  const name = glob.slice(glob.lastIndexOf("/") + 1);
  return hidden.some((sample) => picomatch.isMatch(sample, name, { nocase: true }));
}

const startUpFiles =
  /(^|\/)(\.(bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|cshrc|tcshrc|login|kshrc|mkshrc|inputrc|envrc|gitconfig|npmrc|yarnrc|vimrc|exrc|nanorc|emacs|gdbinit|lldbinit|pythonrc|irbrc|psqlrc|curlrc|wgetrc|netrc|xinitrc|xsession|xprofile|pam_environment|login_conf|tool-versions)|config\.fish|authorized_keys|crontab|profile\.ps1|microsoft\.powershell_profile\.ps1)$/i;
const controlFolders =
  /(^|\/)(\.git|\.aintern|\.ssh|\.gnupg|\.husky|\.githooks|\.config\/(git|fish|autostart|systemd|aintern)|launchagents|launchdaemons|cron\.[a-z]+|systemd)(\/|$)/i;
const controlFiles = /(^|\/)(\.gitmodules|\.vscode\/(tasks|settings|launch)\.json)$/i;

/** Whether a write there changes what runs later without being asked: hooks, settings, start-up files. */
export function isControlPath(path: string): boolean {
  // Windows and macOS take `.GIT`, `.git.` and `.git ` for `.git`, and ignore some invisible characters.
  const plain = path
    .replaceAll("\\", "/")
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .split("/")
    .map(withoutEnd)
    .join("/");
  return startUpFiles.test(plain) || controlFolders.test(plain) || controlFiles.test(plain);
}

function withoutEnd(name: string): string {
  let end = name.length;
  while (end > 0 && /[. ]/.test(name.charAt(end - 1))) end--;
  return name.slice(0, end);
}
