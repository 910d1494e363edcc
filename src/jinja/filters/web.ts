import { isTrue } from '../python/compare.ts';
import { Dict } from '../python/dict.ts';
import { pyStr } from '../python/repr.ts';
import { items, iterable } from '../python/sequence.ts';
import { entries, mapping } from './dicts.ts';
import { stringOf } from './helpers.ts';
import { type FilterTable, filter, isMapping, isString, typeError, Undefined, type Value } from './types.ts';

const escapeHtml = filter('', 'Text for HTML.', (value) => html(pyStr(value)));

export const webFilters: FilterTable = {
  urlencode: filter('', 'Text, or the entries of a dict, for a URL.', (value) => {
    if (isString(value) || !iterable(value)) return quoteUrl(pyStr(value), '/');
    const pairs = isMapping(value) ? entries(value) : items(value).map((pair) => items(pair));
    return pairs
      .map((pair) => pair.map((part) => quoteUrl(pyStr(part), '').replaceAll('%20', '+')).join('='))
      .join('&');
  }),
  urldecode: filter('', 'The text of a part of a URL.', (value) => unquote(stringOf(value).replaceAll('+', ' '))),
  urlsplit: filter('query?', 'The parts of a URL, or one of them.', (value, [part]) => {
    const parts = splitUrl(stringOf(value));
    if (part === undefined || !isTrue(part)) return parts;
    const found = parts.get(part);
    if (found === undefined) throw typeError(`urlsplit: unknown URL component: ${pyStr(part)}`);
    return found;
  }),
  escape: escapeHtml,
  e: escapeHtml,
  forceescape: escapeHtml,
  safe: filter('', 'The text as it is; nothing is escaped here.', (value) => pyStr(value)),
  striptags: filter('', 'Text without HTML tags.', (value) =>
    unescapeHtml(pyStr(value).replace(/<!--[\s\S]*?-->|<[^>]*>/g, ''))
      .split(/\s+/)
      .filter(Boolean)
      .join(' '),
  ),
  xmlattr: filter('autospace?', 'The entries of a dict as XML attributes.', (value, [autospace = true]) => {
    const shown = entries(mapping(value, 'xmlattr')).filter(
      ([, item]) => item !== null && !(item instanceof Undefined),
    );
    const attributes = shown.map(([key, item]) => `${attributeName(pyStr(key))}="${html(pyStr(item))}"`).join(' ');
    return isTrue(autospace) && attributes ? ` ${attributes}` : attributes;
  }),
};

function attributeName(name: string): string {
  if (/[\s/>=]/.test(name)) throw typeError(`Invalid character in attribute name: '${name}'`);
  return html(name);
}

function html(source: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
  return source.replace(/[&<>"']/g, (character) => entities[character]!);
}

function unescapeHtml(source: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\xa0' };
  return source.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Python's urllib quote(): everything but letters, digits, `_.-~` and the characters in `safe`. */
export function quoteUrl(source: string, safe: string): string {
  const keep = (byte: number) => /[\w.~-]/.test(String.fromCharCode(byte)) || safe.includes(String.fromCharCode(byte));
  const hex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return Array.from(Buffer.from(source), (byte) =>
    byte < 128 && keep(byte) ? String.fromCharCode(byte) : hex(byte),
  ).join('');
}

function unquote(source: string): string {
  return source.replace(/(?:%[\da-fA-F]{2})+/g, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
}

/** urllib's urlsplit(), with Ansible's names of the parts. */
export function splitUrl(url: string): Dict {
  const [, scheme = '', afterScheme = ''] = /^(?:([a-zA-Z][\w+.-]*):)?([\s\S]*)$/.exec(
    url.trim().replace(/[\t\r\n]/g, ''),
  )!;
  const [, netloc, rest = ''] = /^(?:\/\/([^/?#]*))?([\s\S]*)$/.exec(afterScheme)!;
  const [, path = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(?:#([\s\S]*))?$/.exec(rest)!;
  const { username, password, hostname, port } = splitAuthority(netloc ?? '');
  const parts = {
    fragment,
    hostname,
    netloc: netloc ?? '',
    password,
    path,
    port,
    query,
    scheme: scheme.toLowerCase(),
    username,
  };
  return new Dict(Object.entries(parts) as [string, Value][]);
}

function splitAuthority(netloc: string) {
  const at = netloc.lastIndexOf('@');
  const [, username = null, password = null] =
    at < 0 ? [] : (/^([^:]*)(?::([\s\S]*))?$/.exec(netloc.slice(0, at)) ?? []);
  const [, bracketed, plain, digits] = /^(?:\[([^\]]*)\]|([^:]*))(?::(.*))?$/.exec(netloc.slice(at + 1)) ?? [];
  if (digits && !/^\d+$/.test(digits)) throw typeError(`Port could not be cast to integer value as '${digits}'`);
  if (Number(digits) > 65_535) throw typeError('Port out of range 0-65535');
  const host = (bracketed ?? plain ?? '').toLowerCase();
  return { username, password, hostname: host || null, port: digits ? Number(digits) : null };
}
