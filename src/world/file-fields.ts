import { modeText } from '../core/mode.ts';
import { Unknown, type Value } from '../jinja/values.ts';
import type { FileFact } from './file.ts';

/** Ansible's fields for a path as it is or will be; what is not predicted is unknown. */
export function fileFields(path: string, fact: FileFact): Record<string, Value> {
  if (!fact.exists) return { state: 'absent' };
  const known = <T extends Value>(value: T | undefined, what: string) => value ?? later(path, what);
  return {
    uid: known(fact.uid, 'owner'),
    gid: known(fact.gid, 'group'),
    owner: known(fact.owner, 'owner'),
    group: known(fact.group, 'group'),
    mode: fact.mode === undefined ? later(path, 'mode') : modeText(fact.mode),
    size: known(fact.size, 'size'),
    state: stateOf(fact),
  };
}

/** Ansible's word for what a path is. */
export function stateOf(fact: FileFact): string {
  if (!fact.exists) return 'absent';
  if (fact.kind === 'link' || fact.kind === 'directory') return fact.kind;
  return (fact.nlink ?? 1) > 1 ? 'hard' : 'file';
}

function later(path: string, what: string): Unknown {
  return new Unknown(`the ${what} of ${path} is known after the task`);
}
