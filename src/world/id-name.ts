import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';

/** The name behind a number of the user or group database; undefined: not known yet. `UNKNOWN` as stat has it: none. */
export function idName(world: WorldView, database: 'passwd' | 'group', id: number): string | undefined {
  const answer = world.read('idname', `${database} ${id}`);
  return answer.state === 'known' ? (answer.value as string) : undefined;
}

export function idNameKey(database: 'passwd' | 'group', id: number): FactKey {
  return { family: 'idname', id: `${database} ${id}` };
}

export const idNameFamily: FactFamily<string> = {
  name: 'idname',
  guarded: false,
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_idname ${key.id}`).join('\n'),
  parse: (record) => ({ state: 'known', value: utf8(record).split(':')[0] || 'UNKNOWN', raw: record }),
  absent: (name) => name === 'UNKNOWN',
  reduce: (effect, draft) => {
    if (!/^(user|group)\./.test(effect.type)) return;
    draft.each('idname', (_id, _answer, set) => set({ state: 'unknown', why: 'users and groups changed' }));
  },
};

/** Records: the line of the database, or nothing. Hosts without getent have only the files. */
const functions = `kf_idname() {
  getent "$1" "$2" 2>/dev/null || command -v getent >/dev/null 2>&1 || grep "^[^:]*:[^:]*:$2:" "/etc/$1" 2>/dev/null
  kp_sep
}`;
