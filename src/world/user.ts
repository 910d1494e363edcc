import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey, Wants } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { getent } from './group.ts';
import { readKnown } from './read.ts';

export type UserFact = { exists: false } | PresentUser;

export interface PresentUser {
  exists: true;
  name: string;
  /** Undefined here and below: not predicted, or not asked. */
  uid?: number;
  gid?: number;
  comment?: string;
  home?: string;
  shell?: string;
  /** Name of the primary group. */
  group?: string;
  /** Names of the supplementary groups. */
  groups?: string[];
  shadow?: Shadow;
}

/** What only root can read. The password's hash stays on the host: only its digest is told. */
export interface Shadow {
  /** sha256 (hex) of the password field without a leading `!`; '' when the field is empty, `!` or `*`. */
  digest: string;
  locked: boolean;
  /** Days; undefined: not set. */
  minimum?: number;
  maximum?: number;
  warning?: number;
  /** Days since the epoch. */
  expires?: number;
}

/** `shadow`: also the password's digest and ages; '-' when it may not be read. */
export interface UserWants {
  shadow?: boolean;
}

export function user(world: WorldView, name: string, wants: UserWants = {}): UserFact {
  return readKnown<UserFact>(world, 'user', name, wants as Wants);
}

export function userKey(name: string, wants: UserWants = {}): FactKey {
  return { family: 'user', id: name, wants: wants as Wants };
}

export const userFamily: FactFamily<UserFact> = {
  name: 'user',
  guarded: true,
  library: () => functions,
  script,
  parse,
  satisfies: (answer, wants) => !wants?.shadow || answer.state !== 'known' || !!answer.wants?.shadow || !asked(answer),
  absent: (fact) => !fact.exists,
  reduce,
  differs,
  proves: (effect) => (effect.type === 'user.set' || effect.type === 'user.remove' ? [userKey(effect.name)] : []),
};

function asked(answer: Answer<UserFact>): boolean {
  return answer.state === 'known' && answer.raw !== '' && answer.value.exists;
}

function script(keys: readonly FactKey[]): string {
  const calls = keys.map((key) => `kf_user ${quote(key.id)}${key.wants?.shadow ? ' s' : ''}`);
  return `kf_users ${quoteAll(keys.map((key) => key.id))}\n${calls.join('\n')}`;
}

/**
 * Records: nothing, or the user's line, a line of group names (primary first), and where wanted the shadow fields:
 * `-` unreadable, else locked or not (`!`), digest, and the ages.
 */
const functions = `kf_nl='
'
kf_users() {
  ${getent('passwd')}
}
kf_user() {
  case $kf_o in
    *"$kf_nl$1:"*)
      kf_l=\${kf_o#*"$kf_nl$1:"}
      printf '%s:%s\\n%s' "$1" "\${kf_l%%"$kf_nl"*}" "$(id -Gn "$1" 2>/dev/null)"
      [ -z "\${2-}" ] || kf_shadow "$1";;
  esac
  kp_sep
}
kf_shadow() {
  if [ ! -r /etc/shadow ]; then printf '\\n-'; return; fi
  kf_l=$(getent shadow "$1" 2>/dev/null) || kf_l=$(grep -F -- "$1:" /etc/shadow | grep "^$1:")
  kf_l=\${kf_l#*:}; kf_h=\${kf_l%%:*} kf_l=\${kf_l#*:} kf_x=
  case $kf_h in '!'*) kf_x='!' kf_h=\${kf_h#'!'};; esac
  case $kf_h in ''|'*'|'!'|'!*') kf_h=;; *) kf_h=$(printf %s "$kf_h" | sha256sum); kf_h=\${kf_h%% *};; esac
  printf '\\n%s:%s:%s' "$kf_x" "$kf_h" "$kf_l"
}`;

function parse(record: string, key: FactKey): Answer<UserFact> {
  if (record === '') return known({ exists: false }, record);
  const [line = '', groups = '', shadow] = utf8(record).split('\n');
  const [name, , uid, gid, comment, home, shell] = line.split(':');
  if (name !== key.id || shell === undefined) throw new Error(`unreadable user ${key.id}: ${record.slice(0, 80)}`);
  const [primary, ...others] = groups.split(' ').filter(Boolean);
  const names = { ...(primary ? { group: primary } : {}), groups: others };
  const fact = { exists: true as const, name, uid: Number(uid), gid: Number(gid), comment, home, shell, ...names };
  return known(shadow && shadow !== '-' ? { ...fact, shadow: shadowOf(shadow) } : fact, record);
}

function shadowOf(text: string): Shadow {
  const [locked, digest = '', , minimum, maximum, warning, , expires] = text.split(':');
  const days = { minimum, maximum, warning, expires };
  const set = Object.entries(days).filter(([, value]) => value !== undefined && value !== '');
  return {
    digest,
    locked: locked === '!',
    ...Object.fromEntries(set.map(([name, value]) => [name, Number(value)])),
  };
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type === 'user.remove') eachUser(draft, effect.name, (set) => set({ exists: false }));
  else if (effect.type === 'user.set') {
    const made: PresentUser = { exists: true, name: effect.name, ...(effect.set as Partial<PresentUser>) };
    if (!draft.get('user', effect.name)) draft.set('user', effect.name, known(made));
    else eachUser(draft, effect.name, (set, fact) => set({ ...fact, ...made }));
  }
}

function eachUser(draft: Draft, name: string, visit: (set: (fact: UserFact) => void, fact: UserFact) => void) {
  draft.each(
    'user',
    (id, answer, set) => {
      if (id === name && answer.state === 'known') visit((fact) => set(known(fact)), answer.value as UserFact);
    },
    name,
  );
}

function differs(predicted: UserFact, actual: UserFact): string[] {
  if (predicted.exists !== actual.exists) return [actual.exists ? 'still there' : 'not there'];
  if (!predicted.exists || !actual.exists) return [];
  const plain = (['uid', 'gid', 'comment', 'home', 'shell', 'group'] as const)
    .filter((field) => predicted[field] !== undefined && predicted[field] !== actual[field])
    .map((field) => `${field}: expected ${predicted[field]}, is ${actual[field]}`);
  const [wanted, there] = [sorted(predicted.groups), sorted(actual.groups)];
  return wanted === undefined || wanted === there ? plain : [...plain, `groups: expected ${wanted}, are ${there}`];
}

function sorted(groups: readonly string[] | undefined): string | undefined {
  return groups && [...groups].sort().join(',');
}

function known(value: UserFact, raw = ''): Answer<UserFact> {
  return { state: 'known', raw, value };
}
