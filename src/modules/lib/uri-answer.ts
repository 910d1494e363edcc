import type { StepOutcome } from '../../core/steps.ts';
import { readJson } from '../../jinja/formats/json-read.ts';
import type { Value } from '../../jinja/values.ts';
import { uriMark } from './uri-script.ts';

export interface UriAnswer {
  /** Whether the file was written. */
  wrote: boolean;
  status: number;
  /** Bytes of the body. */
  size: number;
  values: Record<string, Value>;
}

/** Ansible's fields of an answer; undefined: the step told none. `url`: as asked. */
export function uriAnswer(
  outcome: StepOutcome,
  url: string,
  wanted: readonly number[],
  content: boolean,
): UriAnswer | undefined {
  const found = new RegExp(`^${uriMark} (\\d+) (\\d+) (yes|no) (\\d+) (.*)\\n`).exec(outcome.stdout);
  if (!found) return undefined;
  const [line, rc, size, wrote, code, last = ''] = found;
  const bytes = Buffer.from(outcome.stdout.slice(line.length));
  const head = bytes.subarray(0, Number(size)).toString('latin1');
  const body = bytes.subarray(Number(size)).toString('utf8');
  const status = rc === '0' || Number(code) > 0 ? Number(code) : -1;
  const elapsed = Math.floor((outcome.end - outcome.start) / 1000);
  const at = last === `${url}/` || status < 0 ? url : last;
  const common = { url: at, redirected: at !== url, status, elapsed };
  const headers = status > 0 ? headersOf(head) : {};
  const msg = status > 0 ? message(status, head, headers) : `Request failed: ${outcome.stderr.trim()}`;
  const good = wanted.includes(status);
  return {
    wrote: wrote === 'yes',
    status,
    size: Buffer.byteLength(body),
    values: {
      ...headers,
      ...(status > 0 ? cookies(head) : {}),
      ...common,
      ...jsonOf(body, String(headers.content_type ?? '')),
      ...(content ? { content: body } : {}),
      ...(status >= 400 ? { body } : {}),
      msg: good ? msg : `Status code was ${status} and not [${wanted.join(', ')}]: ${msg}`,
    },
  };
}

/** Headers of the last block, with names that can be attributes. */
function headersOf(head: string): Record<string, Value> {
  return Object.fromEntries(
    lastBlock(head)
      .split(/\r?\n/)
      .flatMap((line) => {
        const found = /^([^:\s]+):\s*(.*)$/.exec(line);
        return found ? [[found[1]!.toLowerCase().replaceAll('-', '_'), found[2]!]] : [];
      }),
  );
}

function lastBlock(head: string): string {
  return (
    head
      .split(/\r?\n\r?\n/)
      .filter((block) => block.trim() !== '')
      .at(-1) ?? ''
  );
}

function cookies(head: string): Record<string, Value> {
  const set = [...head.matchAll(/^set-cookie:\s*([^=;\s]+)=([^;\r\n]*)/gim)];
  const pairs = set.map(([, name, value]): [Value, Value] => [name!, value!]);
  return { cookies: new Map(pairs), cookies_string: pairs.map(([name, value]) => `${name}=${value}`).join('; ') };
}

function message(status: number, head: string, headers: Record<string, Value>): string {
  if (status < 400 && status !== 304) return `OK (${headers.content_length ?? 'unknown'} bytes)`;
  const phrase = /^HTTP\/\S+ \d+ ?(.*?)\r?$/m.exec(lastBlock(head))?.[1] ?? '';
  return `HTTP Error ${status}: ${phrase}`;
}

function jsonOf(body: string, type: string): Record<string, Value> {
  if (!/^[^;]*[/+](json|javascript)\b/i.test(type)) return {};
  try {
    return { json: readJson(body) };
  } catch {
    // Ansible leaves `json` out of the result for a body that only claims to be JSON.
    return {};
  }
}
