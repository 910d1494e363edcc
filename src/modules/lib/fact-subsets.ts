import { wildcards } from '../../core/wildcards.ts';
import type { Value } from '../../jinja/values.ts';

/** A subset's name, with `!` before it to leave it out. */
export type Subset = string;

/**
 * The facts of these subsets, under `ansible_` names, that a filter's patterns match. A pattern is one of the full
 * name or of the name without `ansible_`.
 */
export function selectFacts(
  facts: ReadonlyMap<string, Value>,
  subsets: readonly Subset[],
  filters: readonly string[],
): Map<Value, Value> {
  const patterns = filters.filter((filter) => filter !== '').map((filter) => wildcards(filter, { classes: '!' }));
  const wanted = [...facts].filter(([name]) => inSubsets(name, subsets));
  const named = wanted.map(([name, value]) => [`ansible_${name}`, value] as const);
  const chosen =
    patterns.length === 0
      ? named
      : named.filter(([name]) => patterns.some((p) => p.test(name) || p.test(name.slice(8))));
  const found = new Map<Value, Value>(chosen);
  if (patterns.length === 0) found.set('gather_subset', [...subsets]).set('module_setup', true);
  return found;
}

const subsetOf: [RegExp, string][] = [
  [/^(memory_mb|mem|swap|processor|mounts|devices|uptime_seconds|bios_|board_|product_|system_vendor)/, 'hardware'],
  [/^(interfaces|all_ipv[46]_addresses|default_ipv[46])$/, 'network'],
  [/^virtualization_/, 'virtual'],
];

/** `!all` leaves the least (`min`), `!min` also that; names that kpush has no facts for add nothing. */
function inSubsets(name: string, subsets: readonly Subset[]): boolean {
  const given = subsets.map((subset) => subset.trim());
  const subset = subsetOf.find(([pattern]) => pattern.test(name))?.[1] ?? (isInterface(name) ? 'network' : 'min');
  if (given.includes(`!${subset}`) || (subset !== 'min' && given.includes('!all') && !given.includes(subset)))
    return false;
  if (subset === 'min') return true;
  const positive = given.filter((one) => !one.startsWith('!'));
  return positive.length === 0 || positive.includes('all') || positive.includes(subset);
}

function isInterface(name: string): boolean {
  return /^(lo|eth\d|en[opsx]|wl|br|veth|docker|cni|flannel|bond|vb_)/.test(name);
}
