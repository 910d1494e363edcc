import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { readKnown } from './read.ts';

export type GroupFact = { exists: false } | PresentGroup;

export interface PresentGroup {
  exists: true;
  name: string;
  /** Undefined here and below: not predicted. */
  gid?: number;
  members?: string[];
}

export function group(world: WorldView, name: string): GroupFact {
  return readKnown<GroupFact>(world, 'group', name);
}

export function groupKey(name: string): FactKey {
  return { family: 'group', id: name };
}

/** Shell text that leaves the database's lines for `"$@"` in kf_o; hosts without getent have only the files. */
export function getent(database: 'passwd' | 'group'): string {
  return `kf_o=$(getent ${database} "$@" 2>/dev/null) || command -v getent >/dev/null 2>&1 || kf_o=$(cat /etc/${database})
  kf_o=$kf_nl$kf_o$kf_nl`;
}

export const groupFamily: FactFamily<GroupFact> = {
  name: 'group',
  guarded: true,
  library: () => functions,
  script: (keys) => `kf_groups ${quoteAll(keys.map((key) => key.id))}`,
  parse,
  absent: (fact) => !fact.exists,
  reduce,
  differs,
  proves: (effect) => (effect.type === 'group.set' || effect.type === 'group.remove' ? [groupKey(effect.name)] : []),
};

/** Records: the group's line, or nothing. A number is looked up as an id too, so lines are matched by name. */
const functions = `kf_nl='
'
kf_groups() {
  ${getent('group')}
  for kf_g; do
    case $kf_o in *"$kf_nl$kf_g:"*) kf_l=\${kf_o#*"$kf_nl$kf_g:"}; printf '%s:%s' "$kf_g" "\${kf_l%%"$kf_nl"*}";; esac
    kp_sep
  done
}`;

function parse(record: string, key: FactKey): Answer<GroupFact> {
  if (record === '') return known({ exists: false }, record);
  const [name, , gid, members] = utf8(record).split(':');
  if (name !== key.id || !/^\d+$/.test(gid ?? ''))
    throw new Error(`unreadable group ${key.id}: ${record.slice(0, 80)}`);
  return known({ exists: true, name, gid: Number(gid), members: members ? members.split(',') : [] }, record);
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type === 'group.remove') eachGroup(draft, effect.name, (set) => set({ exists: false }));
  else if (effect.type === 'group.set') {
    if (!draft.get('group', effect.name)) draft.set('group', effect.name, known(after(effect)));
    else eachGroup(draft, effect.name, (set, fact) => set({ ...fact, ...after(effect) }));
  } else if (effect.type === 'user.set' && Array.isArray(effect.set.groups))
    joined(effect.name, effect.set.groups, draft);
}

function after(effect: Extract<Effect, { type: 'group.set' }>): PresentGroup {
  return { exists: true, name: effect.name, ...(effect.set as Partial<PresentGroup>) };
}

/** A user's supplementary groups are the groups that list them. */
function joined(user: string, groups: readonly unknown[], draft: Draft) {
  draft.each('group', (name, answer, set) => {
    const fact = answer.state === 'known' ? (answer.value as GroupFact) : undefined;
    if (!fact?.exists || !fact.members) return;
    const others = fact.members.filter((member) => member !== user);
    set(known({ ...fact, members: groups.includes(name) ? [...others, user] : others }));
  });
}

function eachGroup(draft: Draft, name: string, visit: (set: (fact: GroupFact) => void, fact: GroupFact) => void) {
  draft.each(
    'group',
    (id, answer, set) => {
      if (id === name && answer.state === 'known') visit((fact) => set(known(fact)), answer.value as GroupFact);
    },
    name,
  );
}

function differs(predicted: GroupFact, actual: GroupFact): string[] {
  if (predicted.exists !== actual.exists) return [actual.exists ? 'still there' : 'not there'];
  if (!predicted.exists || !actual.exists || predicted.gid === undefined || predicted.gid === actual.gid) return [];
  return [`gid: expected ${predicted.gid}, is ${actual.gid}`];
}

function known(value: GroupFact, raw = ''): Answer<GroupFact> {
  return { state: 'known', raw, value };
}
