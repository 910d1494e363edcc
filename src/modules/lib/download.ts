import { quote } from '../../core/quote.ts';
import { TaskFailure } from '../../core/result.ts';

/** A download as the host's curl or wget makes it. */
export interface Download {
  url: string;
  headers: Record<string, string>;
  user?: string | undefined;
  password?: string | undefined;
  /** Seconds without progress after which it fails. */
  timeout: number;
  validateCerts: boolean;
  useProxy: boolean;
  agent: string;
}

/**
 * Shell text that fetches into `$t`. What may be secret (headers, passwords, the URL itself) never stands in an
 * argument: a builtin tells it to curl on stdin, and to GNU wget in a file that only its owner may read. The wget of
 * busybox knows no such file, so it serves only what needs no headers.
 */
export function downloadScript(download: Download): string {
  return `if command -v curl >/dev/null 2>&1; then
  printf '%s\\n' ${curlConfig(download).map(quote).join(' ')} | curl -q -K - -o "$t" || exit 1
elif command -v wget >/dev/null 2>&1; then
${hasSecrets(download) ? wgetWithConfig(download) : wgetText(download)}else
  echo 'neither curl nor wget is installed' >&2; exit 127
fi
`;
}

function hasSecrets({ url, headers, user }: Download): boolean {
  return Object.keys(headers).length > 0 || user !== undefined || /^\w+:\/\/[^/?#]*@/.test(url);
}

/** Lines of curl's config; each value is a quoted string in which `\` and `"` are escaped. */
function curlConfig(download: Download): string[] {
  const { url, headers, user, password, timeout, validateCerts, useProxy, agent } = download;
  const values = [
    ['url', url],
    ['user-agent', agent],
    ['connect-timeout', String(timeout)],
    ['speed-time', String(timeout)],
    ['speed-limit', '1'],
    ...headerLines(headers).map((line) => ['header', line]),
    ...(user === undefined ? [] : [['user', `${user}:${password ?? ''}`]]),
    ...(useProxy ? [] : [['noproxy', '*']]),
  ];
  const flags = ['fail', 'silent', 'show-error', 'location', ...(validateCerts ? [] : ['insecure'])];
  const escaped = (value: string) => oneLine(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"');
  return [...flags, ...values.map(([name, value]) => `${name} = "${escaped(value!)}"`)];
}

function headerLines(headers: Record<string, string>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

function oneLine(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new TaskFailure('a URL, header or password of a download cannot hold a line break');
  return value;
}

/** Some builds of busybox 1.35 crash on -T, so what a signal ended is tried once more without. */
function wgetText(download: Download): string {
  const { url, timeout } = download;
  return `  ${wgetFunction(download)}
  kd_wget -T ${timeout} ${quote(url)} || { [ $? -gt 128 ] && kd_wget ${quote(url)}; } || kd_failed
`;
}

/** GNU wget says with -q nothing of what went wrong; busybox's knows no -nv. */
function wgetFunction({ validateCerts, useProxy, agent }: Download): string {
  const certs = validateCerts ? '' : ' --no-check-certificate';
  const proxy = useProxy ? '' : ' --no-proxy';
  return `case $(wget --version 2>/dev/null) in *GNU*) v=-nv ;; *) v=-q ;; esac
  kd_wget() { o=$(wget $v -U ${quote(agent)}${certs}${proxy} -O "$t" "$@" 2>&1); }
  kd_failed() { printf '%s\\n' "$o" >&2; exit 1; }`;
}

function wgetWithConfig(download: Download): string {
  const { url, headers, user, password, timeout } = download;
  const lines = headerLines(headers).map((line) => `header = ${oneLine(line)}`);
  if (user !== undefined) lines.push(`user = ${oneLine(user)}`, `password = ${oneLine(password ?? '')}`);
  return `  ${wgetFunction(download)}
  [ $v = -nv ] || { echo 'headers and passwords need curl or GNU wget' >&2; exit 127; }
  trap 'rm -f "$t" "$t.rc"' EXIT
  printf '%s\\n' ${lines.map(quote).join(' ') || "''"} >"$t.rc" || exit 1
  printf '%s\\n' ${quote(url)} | { kd_wget -T ${timeout} --config="$t.rc" --auth-no-challenge -i - || kd_failed; } || exit 1
`;
}
