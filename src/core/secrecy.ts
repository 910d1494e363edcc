/**
 * Whether what stands in a file is nobody's business: private keys, kubeconfigs, tokens, password files, or any
 * regular file that only its owner may read (`mode` as permission bits or octal text).
 */
export function isSecretFile(path: string, mode?: number | string): boolean {
  return isPrivate(mode) || (secretPaths.some((pattern) => pattern.test(path)) && !/\.(?:pub|crt|cer)$/.test(path));
}

/** Whether a text itself gives away that it is secret, whatever file it is for. */
export function holdsSecret(text: string): boolean {
  return secretTexts.some((pattern) => pattern.test(text));
}

function isPrivate(mode: number | string | undefined): boolean {
  const bits = typeof mode === 'string' ? Number.parseInt(mode, 8) : mode;
  return bits !== undefined && !Number.isNaN(bits) && (bits & 0o077) === 0;
}

const secretPaths = [
  /(?:^|[/.\-_])key(?:\.pem)?$/i,
  /\.(?:key|p12|pfx|jks|keytab|kubeconfig|ovpn)$/i,
  /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /(?:^|\/)ssh_host_\w+_key$/,
  /(?:^|[/.\-_])kubeconfig(?:\.ya?ml|\.conf)?$/i,
  /(?:^|\/)\.kube\/config$/,
  /^\/etc\/kubernetes\/(?:admin|super-admin|kubelet|bootstrap-kubelet|controller-manager|scheduler)\.conf$/,
  /(?:^|[/.\-_])(?:tokens?|secrets?|passwords?|credentials?)(?:\.(?:csv|txt|ya?ml|json|env|conf|ini))?$/i,
  /^\/etc\/g?shadow-?$/,
  /(?:^|\/)\.(?:netrc|pgpass|my\.cnf|htpasswd|vault_pass|git-credentials|dockercfg)$/,
  /(?:^|\/)(?:\.docker\/config\.json|encryption-config\.ya?ml|encryption-provider-config\.ya?ml)$/,
];

const secretTexts = [
  /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/,
  /^\s*(?:client-key-data|token|password|auth-pass)\s*:\s*["']?[A-Za-z0-9+/=._-]{16,}/m,
  /^\$ANSIBLE_VAULT;/m,
];
