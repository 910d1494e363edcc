import type { WorldView } from '../../core/module.ts';
import type { PresentFile } from '../../world/file.ts';
import { attributeChange, type Wanted } from './attributes.ts';

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
