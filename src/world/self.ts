import { utf8 } from '../core/bytes.ts';
import type { Answer, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** Who acts on the host, as `id` says. */
export interface SelfFact {
  uid: number;
  gid: number;
  user: string;
  group: string;
  /** Every group it is in, by number. */
  groups: number[];
}

export const selfKey: FactKey = { family: 'self', id: 'id' };

export function self(world: WorldView): SelfFact {
  return readKnown<SelfFact>(world, selfKey.family, selfKey.id);
}

export const selfFamily: FactFamily<SelfFact> = {
  name: 'self',
  guarded: false,
  script: (keys) => keys.map(() => 'id; kp_sep').join('\n'),
  parse,
};

/** `uid=1000(deploy) gid=1000(deploy) groups=1000(deploy),27(sudo)`; a number without a name has no brackets. */
function parse(record: string): Answer<SelfFact> {
  const found = /^uid=(\d+)(?:\(([^)]*)\))? gid=(\d+)(?:\(([^)]*)\))?/.exec(record);
  if (!found) throw new Error(`unreadable answer of id: ${JSON.stringify(record.slice(0, 200))}`);
  const [, uid, user, gid, group] = found;
  const groups = /groups=(\S+)/.exec(record)?.[1]?.match(/\d+(?=[(,]|$)/g) ?? [gid!];
  return {
    state: 'known',
    raw: record,
    value: {
      uid: Number(uid),
      gid: Number(gid),
      user: utf8(user ?? uid!),
      group: utf8(group ?? gid!),
      groups: groups.map(Number),
    },
  };
}
