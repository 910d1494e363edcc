import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** A request made from the host, without following redirects. */
export interface HttpQuery {
  url: string;
  method?: string;
  /** NAME: VALUE lines; they and the body never stand in arguments. */
  headers?: string[];
  body?: string;
  /** Files on the host. */
  ca?: string;
  cert?: string;
  key?: string;
  /** Do not check the server's certificate. */
  insecure?: boolean;
  /** Seconds for all of it. */
  timeout?: number;
}

/** What came back, or why nothing did. */
export interface HttpFact {
  /** What asked; none: the host has neither curl nor wget. */
  tool: 'curl' | 'wget' | 'none';
  /** curl's or wget's exit code. */
  rc: number;
  /** 0: no answer. */
  status: number;
  /** At most 64 KiB. */
  body: string;
  /** What the tool said. */
  error: string;
}

export function http(world: WorldView, query: HttpQuery): HttpFact {
  return readKnown<HttpFact>(world, 'http', httpKey(query).id);
}

export function httpKey(query: HttpQuery): FactKey {
  return { family: 'http', id: JSON.stringify(query) };
}

export const httpFamily: FactFamily<HttpFact> = {
  name: 'http',
  refreshed: true,
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as HttpQuery)).join('\n'),
  parse(record) {
    const end = /\n(curl|wget|none) (\d+)$/.exec(record);
    if (!end) throw new Error(`unreadable answer to a request: ${JSON.stringify(record.slice(-80))}`);
    const [tail, tool, length] = end as unknown as [string, HttpFact['tool'], string];
    const rest = record.slice(0, -tail.length);
    const said = rest.slice(rest.length - Number(length));
    const answer = rest.slice(0, rest.length - Number(length) - 1);
    const rc = Number(said.slice(said.lastIndexOf('\n') + 1) || 0);
    const told = utf8(said.slice(0, Math.max(0, said.lastIndexOf('\n')))).trim();
    const found = tool === 'curl' ? parted(answer) : listed(answer, told);
    return { state: 'known', raw: record, value: { tool, rc, ...found, error: trouble(told) } };
  },
};

/**
 * curl reads all of the request from its standard input (`-K -`), so that tokens never show in arguments; the answer
 * comes with its headers. wget has only arguments, so it is used for plain requests alone; it tells the headers with
 * its messages. Record: the answer, a newline, message + newline + exit code, a newline, the tool and the length of
 * message and code.
 */
const functions = `kf_http() {
  kf_e= kf_t=none
  if command -v curl >/dev/null 2>&1; then kf_t=curl; kf_caught kf_curl "$1"
  elif [ $# -gt 1 ] && command -v wget >/dev/null 2>&1; then kf_t=wget; shift; kf_caught kf_wget "$@"
  fi
  printf '\\n%s\\n%s %s' "$kf_e" $kf_t "\${#kf_e}"; kp_sep
}
kf_caught() {
  { kf_e=$({ { "$@" 3>&- 5>&-; printf '\\n%s' $? >&2; } 2>&5 | { head -c 65536; cat >/dev/null; } >&3; } 5>&1); } 3>&1
}
kf_wget() { kf_w=$1; shift; ! command -v timeout >/dev/null 2>&1 || set -- timeout "$kf_w" wget "$@"; [ "$1" = timeout ] || set -- wget "$@"; "$@"; }
kf_curl() { printf '%s\\n' "$1" | curl -q -K -; }`;

function call(query: HttpQuery): string {
  const wget = simple(query) ? ` ${quoteAll(wgetOf(query))}` : '';
  return `kf_http ${quote(configOf(query))}${wget}`;
}

function configOf(query: HttpQuery): string {
  const settings: [name: string, value: string | undefined][] = [
    ['url', query.url],
    ['request', query.method],
    ...(query.headers ?? []).map((header): [string, string] => ['header', header]),
    ['data-raw', query.body],
    ['cacert', query.ca],
    ['cert', query.cert],
    ['key', query.key],
    ['max-time', String(query.timeout ?? 10)],
  ];
  const given = settings.filter((setting): setting is [string, string] => setting[1] !== undefined);
  return [
    ...['silent', 'show-error', 'include', 'globoff', ...(query.insecure ? ['insecure'] : [])],
    ...given.map(([name, value]) => `${name} = "${escaped(value)}"`),
  ].join('\n');
}

function escaped(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t');
}

function simple(query: HttpQuery): boolean {
  return (query.method ?? 'GET') === 'GET' && !query.headers?.length && query.body === undefined;
}

/** The seconds, then arguments: busybox has no `-T` (1.35 crashes at it) and few long options. */
function wgetOf(query: HttpQuery): string[] {
  return [
    ...[String(query.timeout ?? 10), '-S', '-O', '-'],
    ...(query.insecure ? ['--no-check-certificate'] : []),
    ...(query.ca ? [`--ca-certificate=${query.ca}`] : []),
    ...(query.cert ? [`--certificate=${query.cert}`] : []),
    ...(query.key ? [`--private-key=${query.key}`] : []),
    query.url,
  ];
}

/** Header blocks (100 Continue, a proxy's) come before the one that counts. */
function parted(answer: string): { status: number; body: string } {
  let rest = answer;
  let status = 0;
  for (let head = headOf(rest); head; head = headOf(rest)) {
    status = Number(head[1]);
    rest = rest.slice(head[0].length);
    if (status >= 200 && !/^HTTP\/\S+ \d+ connection established/i.test(head[0])) break;
  }
  return { status, body: utf8(rest) };
}

function headOf(text: string): RegExpExecArray | null {
  return /^HTTP\/\S+ (\d{3})[^\n]*\n(?:[^\n]*[^\r\n][^\n]*\n)*\r?\n/.exec(text);
}

/** wget of GNU has no body for errors, and tells progress along with trouble. */
function listed(answer: string, error: string): { status: number; body: string } {
  const status = [...error.matchAll(/HTTP\/\S+ (\d{3})/g)].at(-1)?.[1];
  return { status: Number(status ?? 0), body: utf8(answer) };
}

function trouble(told: string): string {
  const lines = told.split('\n').filter((line) => /^(curl|wget): |failed|rror|denied|refused|timed out/.test(line));
  return lines.map((line) => line.trim()).join('; ');
}
