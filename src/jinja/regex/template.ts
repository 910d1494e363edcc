import { typeError } from '../errors.ts';
import type { Match, PythonRegex } from './regex.ts';

type Part = string | number;
const controls: Record<string, string> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
};
const escapes = /\\(?:g<([^>]*)>|(0[0-7]{0,2}|[1-3][0-7]{2})|([1-9]\d?)|([\s\S])|$)/g;

/** Python's replacement text (`\1`, `\g<name>`, `\n`) as a function. Throws a TemplateError for bad references. */
export function replacementOf(regex: PythonRegex, source: string): (match: Match) => string {
  const parts = parse(regex, source);
  return (match) => parts.map((part) => (typeof part === 'string' ? part : groupText(match, part))).join('');
}

function groupText(match: Match, index: number): string {
  return index === 0 ? match.text : (match.groups[index - 1] ?? '');
}

function parse(regex: PythonRegex, source: string): Part[] {
  const parts: Part[] = [];
  let position = 0;
  for (const found of source.matchAll(escapes)) {
    parts.push(source.slice(position, found.index), resolve(regex, source, found));
    position = found.index + found[0].length;
  }
  return [...parts, source.slice(position)];
}

function resolve(regex: PythonRegex, source: string, [whole, name, octal, digits, letter]: RegExpMatchArray): Part {
  if (name !== undefined) return groupIndex(regex, name);
  if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8));
  if (digits !== undefined) return groupIndex(regex, digits);
  if (letter === undefined) throw typeError(`bad escape (end of pattern) in the replacement '${source}'`);
  if (Object.hasOwn(controls, letter)) return controls[letter]!;
  if (/[a-zA-Z]/.test(letter)) throw typeError(`bad escape ${whole} in the replacement '${source}'`);
  return whole;
}

/** The index of a group by number or name. */
export function groupIndex(regex: PythonRegex, name: string): number {
  const index = /^\d+$/.test(name) ? Number(name) : regex.names.get(name);
  if (index === undefined || index > regex.groups) throw typeError(`invalid group reference '${name}'`);
  return index;
}
