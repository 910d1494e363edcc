import { inputError, KpushError } from '../core/errors.ts';
import { nearest } from '../core/nearest.ts';
import type { Origin } from '../core/origin.ts';
import { pythonRegex, TemplateError } from '../jinja/index.ts';
import { glob, isGlob } from './globs.ts';
import type { Inventory } from './inventory.ts';

export interface PatternOptions {
  /** Where the pattern stands; absent for flags. */
  origin?: Origin;
  /** What the pattern is, for messages: `the host pattern`, `--limit`. */
  what: string;
  /** Called instead of an error for a part that matches nothing (`--compat ansible`). */
  warn?(warning: KpushError): void;
}

/**
 * Names of the hosts that a pattern selects, in inventory order: `a:b`, `a,b`, `a:!b`, `a:&b`, `g[0]`, `g[0:2]`,
 * `~regex`, globs. Throws an input error with the nearest name for a part that matches nothing.
 */
export function selectHosts(patterns: readonly string[], inventory: Inventory, options: PatternOptions): string[] {
  const parts = ordered(patterns.flatMap((pattern) => splitPattern(pattern)));
  let chosen = new Set<string>();
  for (const part of parts) {
    const sign = part[0] === '!' || part[0] === '&' ? part[0] : '';
    const found = matching(sign ? part.slice(1) : part, inventory, options, sign === '!');
    if (sign === '') for (const name of found) chosen.add(name);
    else chosen = narrowed(chosen, new Set(found), sign);
  }
  return [...chosen];
}

function narrowed(chosen: Set<string>, found: Set<string>, sign: '!' | '&'): Set<string> {
  return new Set([...chosen].filter((name) => found.has(name) === (sign === '&')));
}

/** What is wrong with a pattern whatever hosts there are: a regular expression that cannot be read. */
export function checkPattern(text: string, options: PatternOptions): KpushError | undefined {
  try {
    for (const part of splitPattern(text)) matcher(part.replace(/^[!&]/, ''), options);
    return undefined;
  } catch (error) {
    if (error instanceof KpushError) return error;
    throw error;
  }
}

/** A comma cuts always; without one a colon does, unless the text is one address, or one name with a port. */
export function splitPattern(text: string): string[] {
  if (text.includes(',')) return trimmed(text.split(','));
  if (isAddress(text)) return trimmed([text]);
  return trimmed(text.match(/(?:[^\s:[\]]|\[[^\]]*\])+/g) ?? []);
}

const ipv6 = /^(?:(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|(?:[0-9a-f]{1,4}:){1,6}:|::)/i;
const nameAndPort = /^(?:[\p{L}\p{N}_.-]|\[[^\]]*\])+:\d+$/u;

/** As Ansible tells them: `a:b:c` is three patterns, though its letters could stand in an address. */
function isAddress(text: string): boolean {
  return ipv6.test(text) || nameAndPort.test(text) || /^\[.+\]:\d+$/.test(text);
}

function trimmed(parts: string[]): string[] {
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** First what adds, then what must hold, then what is taken away; only the latter two: out of all hosts. */
function ordered(parts: string[]): string[] {
  const adding = parts.filter((part) => !/^[!&]/.test(part));
  const rest = [...parts.filter((part) => part.startsWith('&')), ...parts.filter((part) => part.startsWith('!'))];
  return [...(adding.length ? adding : ['all']), ...rest];
}

function matching(pattern: string, inventory: Inventory, options: PatternOptions, mayMiss: boolean): readonly string[] {
  if (inventory.hosts.has(pattern)) return [pattern];
  const { expression, subscript } = splitSubscript(pattern);
  const found = enumerate(expression, inventory, options);
  if (found.hosts.length === 0 && !found.group && !mayMiss && pattern !== 'all') missed(pattern, inventory, options);
  return subscript ? subscripted(found.hosts, subscript, pattern, options) : found.hosts;
}

interface Found {
  hosts: readonly string[];
  /** A group of that name exists, though it may be empty. */
  group: boolean;
}

function enumerate(expression: string, inventory: Inventory, options: PatternOptions): Found {
  const matches = matcher(expression, options);
  const groups = matches.exact
    ? [expression].filter((name) => inventory.groups.has(name))
    : [...inventory.groups.keys()].filter(matches.test);
  const hosts = groups.flatMap((name) => inventory.hostsOf(name));
  const seeHosts = groups.length === 0 || !matches.exact || expression.includes('.');
  const own = !seeHosts
    ? []
    : matches.exact
      ? localOnly(expression, inventory)
      : [...inventory.hosts.keys()].filter(matches.test);
  return { hosts: [...new Set([...hosts, ...own])], group: groups.length > 0 };
}

/** The implicit localhost answers to its names. */
function localOnly(name: string, inventory: Inventory): string[] {
  return inventory.host(name)?.implicit ? [name] : [];
}

function matcher(expression: string, options: PatternOptions): { exact: boolean; test(name: string): boolean } {
  if (!expression.startsWith('~') && !isGlob(expression)) return { exact: true, test: (name) => name === expression };
  const regex = expression.startsWith('~') ? userRegex(expression.slice(1), options) : glob(expression);
  return { exact: false, test: (name) => regex.test(name) };
}

/** Python's `re.match`: anchored at the start only. */
function userRegex(source: string, { origin, what }: PatternOptions): { test(name: string): boolean } {
  try {
    const regex = pythonRegex(source);
    return { test: (name) => regex.match(name) !== undefined };
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error;
    throw inputError(`the regular expression in ${what} cannot be read`, {
      origin,
      expected: error.message,
      cause: error,
    });
  }
}

type Subscript = { from: number; to?: number; range: boolean };

function splitSubscript(pattern: string): { expression: string; subscript?: Subscript } {
  const match = pattern.startsWith('~') ? null : /^(.+)\[(?:(-?\d+)|(\d+)[:-](\d*))\]$/.exec(pattern);
  if (!match) return { expression: pattern };
  const [, expression = '', index, from, to] = match;
  if (index !== undefined) return { expression, subscript: { from: Number(index), range: false } };
  return { expression, subscript: { from: Number(from), range: true, ...(to ? { to: Number(to) } : {}) } };
}

function subscripted(
  hosts: readonly string[],
  { from, to, range }: Subscript,
  pattern: string,
  options: PatternOptions,
): readonly string[] {
  if (range) return hosts.slice(from, to === undefined ? undefined : to + 1);
  const host = hosts.at(from);
  if (host !== undefined || hosts.length === 0) return host === undefined ? [] : [host];
  throw inputError(`${options.what} '${pattern}' goes beyond the ${hosts.length} hosts there are`, {
    origin: options.origin,
    expected: `an index from ${-hosts.length} to ${hosts.length - 1}`,
  });
}

function missed(pattern: string, inventory: Inventory, options: PatternOptions): void {
  const close = nearest(pattern, [...inventory.groups.keys(), ...inventory.hosts.keys()]);
  const groups = [...inventory.groups.keys()].filter((name) => name !== 'all' && name !== 'ungrouped');
  const error = inputError(`${options.what} '${pattern}' matches no host`, {
    origin: options.origin,
    ...(close
      ? { nearest: close }
      : { expected: `a group (${groups.slice(0, 10).join(', ') || 'none defined'}) or a host` }),
  });
  if (!options.warn) throw error;
  options.warn(error);
}
