import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** When apt last loaded its indexes, by the host's own clock; seconds since the epoch. */
export interface AptListsFact {
  updated: number;
  now: number;
}

export function aptLists(world: WorldView): AptListsFact {
  return readKnown<AptListsFact>(world, 'apt-lists', 'mtime');
}

export const aptListsKey: FactKey = { family: 'apt-lists', id: 'mtime' };

/** Not guarded, since the clock moves. apt's own stamp of a success wins over the directory's time. */
export const aptListsFamily: FactFamily<AptListsFact> = {
  name: 'apt-lists',
  guarded: false,
  script: (keys) =>
    keys
      .map(
        () =>
          'kf_t=0; for kf_p in /var/lib/apt/periodic/update-success-stamp /var/lib/apt/lists; do ' +
          '[ ! -e $kf_p ] || { kf_t=$(stat -c %Y $kf_p) && break; }; done; ' +
          'printf \'%s %s\' "$kf_t" "$(date +%s)"; kp_sep',
      )
      .join('\n'),
  parse(record) {
    const found = /^(\d+) (\d+)$/.exec(record);
    if (!found) throw new Error(`unreadable time of apt's lists: ${record.slice(0, 80)}`);
    return { state: 'known', raw: record, value: { updated: Number(found[1]), now: Number(found[2]) } };
  },
};
