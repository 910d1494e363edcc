import { textOf } from '../load/expect.ts';
import type { Reach } from './reach.ts';

/**
 * Whether some task of the run may set a variable of this name (register, set_fact, include_vars). Reading any other of
 * another host need not wait for that host. Where an include may bring what cannot be seen now, every name may be set.
 */
export function producedBy(found: Reach): (name: string) => boolean {
  if (found.open) return () => true;
  const names = new Set(found.includedVars.flatMap((node) => [...(node.entries?.keys() ?? [])]));
  for (const { task } of found.tasks) {
    const register = textOf(task.register);
    if (register !== undefined) names.add(register);
    if (task.module === 'set_fact') for (const name of task.params?.entries?.keys() ?? []) names.add(name);
  }
  const anyName = [...names].some((name) => name.includes('{{'));
  return (name) => anyName || names.has(name);
}
