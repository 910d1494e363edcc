import { wildcards } from '../../core/wildcards.ts';

/** Whether a name matches OpenSSH's pattern: `*` any text, `?` one character, all else itself. */
export function matchesPattern(name: string, pattern: string): boolean {
  return wildcards(pattern).test(name);
}

/** A list with commas: some pattern matches, and none of those behind a `!` does. */
export function matchesList(name: string, list: string): boolean {
  const patterns = list.split(',');
  const matching = patterns.filter((pattern) => matchesPattern(name, pattern.replace(/^!/, '')));
  return matching.length > 0 && !matching.some((pattern) => pattern.startsWith('!'));
}
