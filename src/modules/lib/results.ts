import { modeText } from '../../core/mode.ts';
import type { WorldView } from '../../core/module.ts';
import { Unknown, type Value } from '../../jinja/values.ts';
import type { FileFact, PresentFile } from '../../world/file.ts';
import { attributeChange, type Wanted } from './attributes.ts';

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

/** A file after it got the wanted attributes. */
export function afterAttributes(path: string, fact: PresentFile, wanted: Wanted, world: WorldView): PresentFile {
  return withFields(fact, attributeChange(path, fact, wanted, world).set as Partial<PresentFile>);
}

/** A file after an effect set some of its fields. */
function withFields(fact: PresentFile, set: Partial<PresentFile>): PresentFile {
  const after = { ...fact, ...set };
  if ('owner' in set !== 'uid' in set) Object.assign(after, { owner: set.owner, uid: set.uid });
  if ('group' in set !== 'gid' in set) Object.assign(after, { group: set.group, gid: set.gid });
  return after;
}

function later(path: string, what: string): Unknown {
  return new Unknown(`the ${what} of ${path} is known after the task`);
}
