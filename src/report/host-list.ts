import { sanitize } from './sanitize.ts';

/**
 * Host names as one short text. Three or more that only count up are written as Ansible's range (`web[01:20].eu`);
 * at most `max` parts are named, the rest is counted.
 */
export function hostList(hosts: readonly string[], max = 8): string {
  const parts = ranges(hosts);
  if (parts.length <= max) return sanitize(parts.map((part) => part.text).join(', '));
  const shown = parts.slice(0, Math.max(1, max - 1));
  const rest = hosts.length - shown.reduce((sum, part) => sum + part.size, 0);
  return sanitize(`${shown.map((part) => part.text).join(', ')} and ${rest} more`);
}

/** `all 12 hosts` where it is all of them, else the names. */
export function hostsOf(hosts: readonly string[], all: readonly string[], max = 8): string {
  if (hosts.length === all.length && hosts.length > 3) return `all ${hosts.length} hosts`;
  return hostList(inOrder(hosts, all), max);
}

interface Part {
  text: string;
  size: number;
}

interface Run {
  first: Token[];
  last: Token[];
  /** The token that counts up; -1 while there is one host. */
  at: number;
  names: string[];
}

type Token = string;

function ranges(hosts: readonly string[]): Part[] {
  const runs: Run[] = [];
  for (const host of hosts) {
    const tokens = tokensOf(host);
    const run = runs.at(-1);
    const at = run ? countsUp(run.last, tokens) : -1;
    if (run && at >= 0 && (run.at === -1 || run.at === at)) {
      Object.assign(run, { last: tokens, at });
      run.names.push(host);
    } else runs.push({ first: tokens, last: tokens, at: -1, names: [host] });
  }
  return runs.flatMap(partsOf);
}

function partsOf(run: Run): Part[] {
  if (run.names.length < 3) return run.names.map((text) => ({ text, size: 1 }));
  const text = run.first.map((token, i) => (i === run.at ? `[${token}:${run.last[i]}]` : token)).join('');
  return [{ text, size: run.names.length }];
}

/** Text and numbers in turn: `web01.eu` gives `web`, `01`, `.eu`. */
function tokensOf(host: string): Token[] {
  return host.split(/(\d+)/);
}

/** The only place where two names differ, if the second is the number after the first, equally padded; else -1. */
function countsUp(a: Token[], b: Token[]): number {
  if (a.length !== b.length) return -1;
  const differing = a.flatMap((token, i) => (token === b[i] ? [] : [i]));
  const at = differing[0];
  if (differing.length !== 1 || at === undefined || at % 2 === 0) return -1;
  const [before = '', after = ''] = [a[at], b[at]];
  const padded = before.startsWith('0') || after.startsWith('0');
  if (padded && before.length !== after.length) return -1;
  return Number(after) === Number(before) + 1 ? at : -1;
}

function inOrder(hosts: readonly string[], all: readonly string[]): string[] {
  const wanted = new Set(hosts);
  const known = all.filter((host) => wanted.has(host));
  return known.length === wanted.size ? known : [...hosts];
}
