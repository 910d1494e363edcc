import type { Scope } from './unit.ts';

/** The scope and name behind an id: names hold no slash. */
export function scopeOf(id: string): { scope: Scope; name: string } {
  const slash = id.indexOf('/');
  return slash < 0 ? { scope: 'system', name: id } : { scope: id.slice(0, slash) as Scope, name: id.slice(slash + 1) };
}
