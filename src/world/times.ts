import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';

/** Times that a file shall have: `YYYYMMDDhhmm.SS` in the host's own zone, or `preserve`, which any satisfies. */
export interface WantedTimes {
  modification: string;
  access: string;
}

/** Whether a file has these times already; false, too, while that is not known. */
export function hasTimes(world: WorldView, path: string, times: WantedTimes): boolean {
  const answer = world.read('times', timesKey(path, times).id);
  return answer.state === 'known' && answer.value === true;
}

export function timesKey(path: string, { modification, access }: WantedTimes): FactKey {
  return { family: 'times', id: `${modification} ${access} ${normal(path)}` };
}

export const timesFamily: FactFamily<boolean> = {
  name: 'times',
  guarded: false,
  path: (id) => partsOf(id)[2],
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_times ${quoteAll(partsOf(key.id))}`).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: record === 'y' }),
  reduce,
};

/** GNU's and busybox's date both read `YYYY-MM-DD hh:mm:ss` as local time. */
const functions = `kf_time() {
  [ "$1" = preserve ] && return
  kf_d=\${1%.*} kf_s=00
  case $1 in *.*) kf_s=\${1#*.} ;; esac
  kf_y=\${kf_d%????????} kf_d=\${kf_d#????}
  kf_m=\${kf_d%??????} kf_d=\${kf_d#??}
  kf_t=\${kf_d%????} kf_d=\${kf_d#??}
  [ "$(date -d "$kf_y-$kf_m-$kf_t \${kf_d%??}:\${kf_d#??}:$kf_s" +%s 2>/dev/null)" = "$2" ]
}
kf_times() {
  kf_w=$1 kf_a=$2
  if set -- $(stat -L -c '%Y %X' "$3" 2>/dev/null) && [ "$#" = 2 ] && kf_time "$kf_w" "$1" && kf_time "$kf_a" "$2"; then printf y; else printf n; fi
  kp_sep
}`;

function partsOf(id: string): [string, string, string] {
  const [modification = '', access = ''] = id.split(' ', 2);
  return [modification, access, id.slice(modification.length + access.length + 2)];
}

/** Whatever is done to a file moves its times. */
function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.near('times', real, (id, _answer, set) => {
    if (canonicalOf(partsOf(id)[2], draft) === real) set(moved(effect.path));
  });
}

function moved(path: string): Answer<boolean> {
  return { state: 'unknown', why: `the times of ${path} are known after an earlier task` };
}
