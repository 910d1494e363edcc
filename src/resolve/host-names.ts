import { inputError } from '../core/errors.ts';
import type { Origin } from '../core/origin.ts';

export interface NamedHosts {
  names: string[];
  port?: number;
}

/** More hosts than this out of one pattern is a mistake or an attack. */
const maxHosts = 100_000;

/** Host names of an inventory entry: ranges (`[01:10:2]`, `[a:c]`) expanded, a port (`h:2222`, `[::1]:22`) cut off. */
export function expandHosts(pattern: string, origin: Origin): NamedHosts {
  const { name, port } = cutPort(pattern);
  const names = name.includes('[') ? expandRanges(name, origin) : [name];
  for (const each of names) checkHostName(each, origin);
  return { names, ...(port === undefined ? {} : { port }) };
}

function cutPort(pattern: string): { name: string; port?: number } {
  const match = /^\[([^[\]]+)\]:(\d+)$/.exec(pattern) ?? /^((?:[^:[\]]|\[[^\]]*\])+):(\d+)$/.exec(pattern);
  return match ? { name: match[1] ?? '', port: Number(match[2]) } : { name: pattern };
}

function expandRanges(text: string, origin: Origin): string[] {
  const match = /^([^[]*)\[([^\]]*)\](.*)$/s.exec(text);
  if (!match) return [text];
  const [, head = '', range = '', tail = ''] = match;
  const items = rangeItems(range, text, origin);
  const tails = tail.includes('[') ? expandRanges(tail, origin) : [tail];
  if (items.length * tails.length > maxHosts) throw badRange(text, origin, `at most ${maxHosts} hosts`);
  return items.flatMap((item) => tails.map((rest) => head + item + rest));
}

function rangeItems(range: string, text: string, origin: Origin): string[] {
  const [begin = '', end = '', step = '1', ...more] = range.split(':');
  const stride = Number(step);
  if (!range.includes(':') || more.length > 0 || !/^\d+$/.test(step) || stride === 0) throw badRange(text, origin);
  if (/^[a-zA-Z]$/.test(begin) && /^[a-zA-Z]$/.test(end)) return letters(begin, end, stride, text, origin);
  if (!/^\d*$/.test(begin) || !/^\d+$/.test(end)) throw badRange(text, origin);
  return numbers(begin || '0', end, stride, text, origin);
}

const alphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function letters(begin: string, end: string, step: number, text: string, origin: Origin): string[] {
  const [from, to] = [alphabet.indexOf(begin), alphabet.indexOf(end)];
  if (from > to) throw badRange(text, origin, 'a range that goes up');
  return [...alphabet.slice(from, to + 1)].filter((_letter, i) => i % step === 0);
}

function numbers(begin: string, end: string, step: number, text: string, origin: Origin): string[] {
  const padded = begin.length > 1 && begin.startsWith('0');
  if (padded && begin.length !== end.length) throw badRange(text, origin, 'begin and end with as many digits');
  const [from, to] = [Number(begin), Number(end)];
  if (from > to) throw badRange(text, origin, 'a range that goes up');
  if ((to - from) / step > maxHosts) throw badRange(text, origin, `at most ${maxHosts} hosts`);
  const width = padded ? begin.length : 0;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) =>
    String(from + i * step).padStart(width, '0'),
  );
}

function badRange(text: string, origin: Origin, expected = 'a range such as [1:9], [01:10:2] or [a:f]') {
  return inputError(`'${printable(text)}' is no host range`, { origin, expected });
}

/** White space, quotes, and what a shell, a pattern or a terminal would take for more than a name. */
const notInNames = /[\s\u0000-\u001f\u007f'"`\\/$;|&<>(){}[\]*?!#^,]/;

/** Throws for a name that could be mistaken for an option, a pattern or shell text: it is also the default address. */
export function checkHostName(name: string, origin: Origin): void {
  const bad = badStart(name, /^(?:-|:(?!:))/) ?? badCharacter(name);
  if (!bad) return;
  throw inputError(`'${printable(name)}' cannot be the name of a host`, {
    origin,
    expected: 'letters, digits and . _ - : @ % + = ~',
    hint: `it has ${bad}`,
  });
}

export function checkGroupName(name: string, origin: Origin): void {
  const bad = badStart(name, /^[-@~]/) ?? badCharacter(name, /[\s\u0000-\u001f\u007f'"`\\/:,[\]!&*?]/);
  if (!bad) return;
  throw inputError(`'${printable(name)}' cannot be the name of a group`, {
    origin,
    expected: 'letters, digits and . _ -',
    hint: `it has ${bad}`,
  });
}

/** Controls, separators and marks that change the direction of text: a name that shows as another. */
const unseen = /[\p{C}\p{Z}]/u;

/** Names are also names of files: host_vars, journals. */
function badStart(name: string, start: RegExp): string | undefined {
  if (name === '') return 'nothing';
  if (/^\.+$/.test(name)) return 'only dots';
  return start.test(name) ? `a leading '${name[0]}'` : undefined;
}

function badCharacter(name: string, pattern = notInNames): string | undefined {
  const found = (pattern.exec(name) ?? unseen.exec(name))?.[0];
  return found === undefined ? undefined : /\s/.test(found) ? 'white space' : `the character ${shownSign(found)}`;
}

function shownSign(sign: string): string {
  return unseen.test(sign)
    ? `U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    : JSON.stringify(sign);
}

function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?').slice(0, 80);
}
