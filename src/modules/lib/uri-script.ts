import { quote } from '../../core/quote.ts';
import { TaskFailure } from '../../core/result.ts';
import type { HostFile } from './host-file.ts';

/** A request as the host's curl makes it. */
export interface Request {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  /** File of the host that is the body. */
  file?: string | undefined;
  user?: string | undefined;
  password?: string | undefined;
  timeout: number;
  validateCerts: boolean;
  useProxy: boolean;
  follow: boolean;
  agent: string;
  caPath?: string | undefined;
  cert?: string | undefined;
  key?: string | undefined;
  socket?: string | undefined;
}

/** Ends the line with which the script tells curl's own words. */
export const uriMark = 'kpush-uri:';

/**
 * Prints `kpush-uri:` with curl's exit code, status, last URL, size of the head and whether the file was written; then
 * the head and the body. What may be secret goes to curl by stdin, never in an argument. Exit 22: another status than
 * one that is wanted.
 */
export function uriScript(
  request: Request,
  wanted: readonly number[],
  made: HostFile | undefined,
  dest: string,
): string {
  const lines = [...curlConfig(request), ...bodyConfig(request)];
  return `command -v curl >/dev/null 2>&1 || { echo 'uri needs curl on the host' >&2; exit 127; }
umask 077
d=$(mktemp -d) || exit 1
trap 'rm -rf "$d"' EXIT
trap 'exit 143' HUP INT TERM
: >"$d/head"; : >"$d/body"
printf '%s\\n' ${lines.map(quote).join(' ')} >"$d/config"
${request.body === undefined ? '' : `printf %s ${quote(request.body)} >"$d/sent"\n`}m=$(curl -q -K "$d/config"${request.body === undefined ? '' : ' --data-binary "@$d/sent"'} -D "$d/head" -o "$d/body" -w '%{http_code} %{url_effective}' 2>"$d/told"); c=$?
s=\${m%% *}; w=no
case ' ${wanted.join(' ')} ' in *" $s "*) ok=0 ;; *) ok=22 ;; esac
${made ? placed(made, dest) : ''}printf '${uriMark} %s %s %s %s\\n' $c "$(wc -c <"$d/head" | tr -d ' ')" $w "$m"
cat "$d/head" "$d/body"
cat "$d/told" >&2
exit $ok
`;
}

/** The body takes the file's place where it differs. */
function placed(made: HostFile, dest: string): string {
  return `if [ $ok = 0 ] && [ $s != 304 ]; then
  if cmp -s "$d/body" ${quote(dest)}; then f=${quote(dest)}
${made.own}  else w=yes
${made.begin}trap 'rm -rf "$d" "$t"' EXIT
cat "$d/body" >"$t" || exit 1
${made.place}  fi
fi
`;
}

function curlConfig(request: Request): string[] {
  const { url, method, headers, user, password, timeout, agent, caPath, cert, key, socket } = request;
  const values: [name: string, value: string | undefined][] = [
    ['url', url],
    [method === 'HEAD' ? 'head' : 'request', method === 'HEAD' ? undefined : method],
    ['user-agent', agent],
    ['max-time', String(timeout)],
    ...Object.entries(headers).map(([name, value]): [string, string] => ['header', `${name}: ${value}`]),
    ['user', user === undefined ? undefined : `${user}:${password ?? ''}`],
    ['cacert', caPath],
    ['cert', cert],
    ['key', key],
    ['unix-socket', socket],
    ['noproxy', request.useProxy ? undefined : '*'],
  ];
  const flags: [boolean, string][] = [
    [true, 'silent'],
    [true, 'show-error'],
    [true, 'globoff'],
    [method === 'HEAD', 'head'],
    [request.follow, 'location'],
    [!request.validateCerts, 'insecure'],
  ];
  const given = values.filter((pair): pair is [string, string] => pair[1] !== undefined);
  return [
    ...flags.filter(([wanted]) => wanted).map(([, flag]) => flag),
    ...given.map(([name, value]) => `${name} = "${escaped(value)}"`),
  ];
}

/** A header that curl would add for a body by itself is not sent unless the task names one. */
function bodyConfig({ body, file, headers }: Request): string[] {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  if (body === undefined && file === undefined) return [];
  return [
    ...(named ? [] : ['header = "Content-Type:"']),
    'header = "Expect:"',
    ...(file === undefined ? [] : [`data-binary = "@${escaped(file)}"`]),
  ];
}

function escaped(value: string): string {
  if (/[\r\n\0]/.test(value)) throw new TaskFailure('a URL, header or password cannot hold a line break');
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
