import { plain } from '../../core/plain.ts';
import { TaskFailure } from '../../core/result.ts';
import type { Value } from '../../jinja/values.ts';

/** A mapping, or a list of pairs, as `a=1&b=x+y`; a list stands for its name several times. */
export function formUrlencoded(body: Value): string {
  return pairs(plain(body))
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => `${quoted(name)}=${quoted(one)}`))
    .join('&');
}

function pairs(body: unknown): [unknown, unknown][] {
  if (Array.isArray(body) && body.every((pair) => Array.isArray(pair) && pair.length === 2))
    return body as [unknown, unknown][];
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return Object.entries(body);
  throw new TaskFailure('failed to parse body as form_urlencoded: it is neither a mapping nor a list of pairs');
}

/** As Python's quote_plus. */
function quoted(value: unknown): string {
  const text = value === true ? 'True' : value === false ? 'False' : value === null ? 'None' : String(value);
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}
