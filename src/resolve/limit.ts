import { inputError } from '../core/errors.ts';
import { expandHome } from '../load/search.ts';
import type { Sources } from '../load/sources.ts';
import { decodeText } from '../load/text.ts';
import type { Inventory } from './inventory.ts';
import { type PatternOptions, selectHosts, splitPattern } from './patterns.ts';

/** The hosts that all `-l` together leave; undefined: no limit. `@file` names a file with a pattern a line. */
export function limitedHosts(
  flags: readonly string[],
  inventory: Inventory,
  sources: Sources,
  warn?: PatternOptions['warn'],
): ReadonlySet<string> | undefined {
  if (flags.length === 0) return undefined;
  const options: PatternOptions = { what: '--limit', ...(warn ? { warn } : {}) };
  const sets = flags.map((flag) => new Set(selectHosts(patternsOf(flag, sources), inventory, options)));
  const [first = new Set<string>(), ...rest] = sets;
  return new Set([...first].filter((host) => rest.every((set) => set.has(host))));
}

function patternsOf(flag: string, sources: Sources): string[] {
  return splitPattern(flag).flatMap((part) => (part.startsWith('@') ? linesOf(part.slice(1), sources) : [part]));
}

function linesOf(name: string, sources: Sources): string[] {
  const path = sources.absolute(expandHome(name));
  if (!sources.isFile(path))
    throw inputError(`there is no file '${name}' for --limit`, { expected: 'a file with a host pattern on each line' });
  const text = decodeText(sources.bytes(path), sources.show(path));
  return text
    .split('\n')
    .map((line) => line.replace(/#.*$/, '').trim())
    .filter((line) => line !== '');
}
