import { utf8 } from '../../core/bytes.ts';
import type { ActionCall } from '../../core/needs.ts';
import { quote } from '../../core/quote.ts';
import { TaskFailure } from '../../core/result.ts';
import { type Match, pythonRegex, TemplateError } from '../../jinja/index.ts';
import { drainedLook } from './wait-drained.ts';

/** How a look at the host is taken, and what it says. */
export interface Look {
  /** Prints one record. */
  script(): string;
  judge(record: string): { met: boolean; match?: Match };
}

/** What `wait_for` looks at; undefined: nothing but the clock. */
export function lookOf(params: ActionCall['params']): Look | undefined {
  if (params.state === 'drained') return drainedLook(params);
  const gone = params.state === 'absent' || params.state === 'stopped';
  const regex = gone || params.search_regex === undefined ? undefined : String(params.search_regex);
  if (params.path !== undefined)
    return regex === undefined ? pathLook(String(params.path), !gone) : textLook(String(params.path), regex);
  if (params.port === undefined) return undefined;
  return regex === undefined ? portLook(params, !gone) : greetingLook(params, regex);
}

function pathLook(path: string, there: boolean): Look {
  return yesOrNo(`[ -e ${quote(path)} ]`, there);
}

function yesOrNo(test: string, wanted: boolean): Look {
  return {
    script: () => `if ${test}; then printf y; else printf n; fi`,
    judge: (record) => ({ met: (record === 'y') === wanted }),
  };
}

/** A log can be of any size: its end is looked at. */
const readBytes = 8 * 1024 * 1024;

/** The text is sent again only when the file is another one. */
function textLook(path: string, pattern: string): Look {
  const file = quote(path);
  let known = '';
  return {
    script: () =>
      `kp_w=$(stat -L -c '%y %s %i' ${file} 2>/dev/null)
if [ "$kp_w" ] && [ "$kp_w" != ${quote(known)} ]; then printf '%s\\n' "$kp_w"; tail -c ${readBytes} ${file} 2>/dev/null; fi`,
    judge: (record) => {
      const end = record.indexOf('\n');
      if (end < 0) return { met: false };
      known = record.slice(0, end);
      return matchIn(utf8(record.slice(end + 1)), pattern);
    },
  };
}

/** Characters searched at once, and how much of them is searched again with the next: what is searched takes bounded time. */
const [window, overlap] = [65_536, 4096];

/** Python's search with re.MULTILINE. A pattern that is none, or that would take for ever, is the task's failure. */
function matchIn(text: string, pattern: string): { met: boolean; match?: Match } {
  try {
    return searched(text, pattern);
  } catch (error) {
    if (error instanceof TemplateError) throw new TaskFailure(`Invalid regular expression: ${error.message}`);
    throw error;
  }
}

function searched(text: string, pattern: string): { met: boolean; match?: Match } {
  const regex = pythonRegex(pattern, { multiline: true });
  for (let at = 0; at === 0 || at + overlap < text.length; at += window - overlap) {
    const match = regex.search(text.slice(at, at + window));
    if (match) return { met: true, match };
  }
  return { met: false };
}

/** bash's /dev/tcp, nc or curl, whichever is there: plain sh cannot open a connection. */
function portLook(params: ActionCall['params'], there: boolean): Look {
  const { host, port, wait } = endOf(params);
  const bash = `timeout ${wait} bash -c ': <"/dev/tcp/$1/$2"' - ${host} ${port}`;
  const [nc, curl] = [
    `nc -z -w ${wait} ${host} ${port}`,
    `curl -s --connect-timeout ${wait} telnet://${host}:${port} </dev/null`,
  ];
  return yesOrNo(`{ ${whichever(bash, nc, curl)}; } >/dev/null 2>&1`, there);
}

/** Seconds that a server has to say something. */
const greetingSeconds = 2;

/** What the port sends first, without being spoken to. */
function greetingLook(params: ActionCall['params'], pattern: string): Look {
  const { host, port, wait } = endOf(params);
  const hear = `timeout ${greetingSeconds} cat <&3`;
  const bash = `timeout ${wait + greetingSeconds} bash -c 'exec 3<>"/dev/tcp/$1/$2" && ${hear}' - ${host} ${port}`;
  const nc = `nc -w ${greetingSeconds} ${host} ${port} </dev/null`;
  const curl = `curl -s -m ${greetingSeconds} telnet://${host}:${port} </dev/null`;
  return {
    script: () => `{ ${whichever(bash, nc, curl)}; } 2>/dev/null | head -c ${window}`,
    judge: (record) => matchIn(utf8(record), pattern),
  };
}

function whichever(bash: string, nc: string, curl: string): string {
  return `if command -v bash >/dev/null; then ${bash}; elif command -v nc >/dev/null; then ${nc}; else ${curl}; fi`;
}

function endOf({ host, port, connect_timeout: wait }: ActionCall['params']) {
  return { host: quote(String(host)), port: Number(port), wait: Number(wait) };
}
