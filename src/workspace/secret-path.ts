import { matchesAny } from "./path-patterns.ts";

const isLikeSecret = matchesAny([
  ".env",
  ".env.*",
  ".envrc",
  "*.env",
  // Keys and key stores
  "*.pem",
  "*.key",
  "*.p12",
  "*.pfx",
  "*.p8",
  "*.jks",
  "*.keystore",
  "*.kdbx",
  "*.ppk",
  "*.ovpn",
  "id_rsa*",
  "id_dsa*",
  "id_ecdsa*",
  "id_ed25519*",
  "ssh_host_*_key",
  ".ssh/**",
  ".gnupg/**",
  ".password-store/**",
  // Credentials of tools and clouds
  ".npmrc",
  ".pypirc",
  ".netrc",
  "_netrc",
  ".pgpass",
  ".my.cnf",
  ".git-credentials",
  ".htpasswd",
  ".dockercfg",
  ".docker/config.json",
  ".kube/config",
  "kubeconfig",
  ".aws/**",
  ".azure/**",
  ".config/gcloud/**",
  ".config/gh/hosts.yml",
  ".config/op/**",
  "auth.json",
  ".cargo/credentials.toml",
  ".gem/credentials",
  ".m2/settings.xml",
  ".vault-token",
  ".s3cfg",
  ".boto",
  ".terraformrc",
  "*.tfstate",
  "*.tfstate.backup",
  "*.tfvars",
  "credentials",
  "credentials.json",
  "credentials.yml",
  "credentials.yaml",
  "credentials.toml",
  "credentials.ini",
  "credentials.csv",
  "credentials.xml",
  "credentials.yml.enc",
  "secrets.json",
  "secrets.yml",
  "secrets.yaml",
  "secrets.toml",
  "client_secret*.json",
  "service-account*.json",
  "service_account*.json",
  // What was typed, passwords included
  ".*_history",
]);

/** Made to be shared: examples without values, and the public half of a key. */
const isShareable = matchesAny([
  "*.example",
  "*.sample",
  "*.template",
  "*.dist",
  "*.default",
  "*.defaults",
  "*.schema",
  "example.env",
  "sample.env",
  "template.env",
  ".env.example.*",
  "*.example.tfvars",
  "id_*.pub",
]);

/**
 * Whether a path is known to hold keys, passwords or tokens. By its name alone, so that it can be told before anything
 * is opened, and for the same path always alike. Tools show such a file only to a model that was allowed to ask for it
 * by name.
 */
export function isSecretPath(path: string): boolean {
  if (!isLikeSecret(path)) return false;
  return !isShareable(path) || isInSecretFolder(path);
}

/** There nothing is an example. */
const isInSecretFolder = matchesAny([".ssh/**", ".gnupg/**", ".password-store/**", ".aws/**", ".azure/**"]);
