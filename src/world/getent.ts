import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** Lines of a name service database. */
export interface GetentFact {
  /** getent's: 0, 1 no such database, 2 no such key, 3 it cannot be listed, 127 no getent. */
  rc: number;
  lines: string[];
}

export interface GetentQuery {
  database: string;
  key?: string | undefined;
  service?: string | undefined;
}

export function getentLines(world: WorldView, query: GetentQuery): GetentFact {
  return readKnown<GetentFact>(world, 'getent', getentKey(query).id);
}

export function getentKey({ database, key, service }: GetentQuery): FactKey {
  return { family: 'getent', id: JSON.stringify({ database, key, service }) };
}

export const getentFamily: FactFamily<GetentFact> = {
  name: 'getent',
  guarded: false,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as GetentQuery)).join('\n'),
  parse(record) {
    const at = record.lastIndexOf('\n');
    const rc = Number(record.slice(at + 1));
    if (at < 0 || !Number.isInteger(rc)) throw new Error(`unreadable answer of getent: ${record.slice(-80)}`);
    const text = utf8(record.slice(0, at)).replace(/\n$/, '');
    return { state: 'known', raw: record, value: { rc, lines: text === '' ? [] : text.split('\n') } };
  },
  absent: (fact) => fact.rc === 2,
  reduce(effect, draft) {
    const touched = databasesOf(effect);
    if (touched.length === 0) return;
    draft.each('getent', (id, answer, set) => {
      const query = JSON.parse(id) as GetentQuery;
      if (touched.includes(query.database) && !isOfAnother(effect, query, answer as Answer<GetentFact>))
        set({ state: 'unknown', why: whyOf(effect) });
    });
  },
};

/** Whether the entry asked for is not that of the account that changed; a number may be its new one. */
function isOfAnother(effect: Effect, { database, key }: GetentQuery, answer: Answer<GetentFact>): boolean {
  if (key === undefined || /^\d+$/.test(key) || !('name' in effect) || effect.name === key) return false;
  const members = database === 'group' || database === 'gshadow';
  return !members || (answer.state === 'known' && answer.value.lines.length === 0);
}

function call({ database, key, service }: GetentQuery): string {
  const from = service === undefined ? '' : ` -s ${quote(service)}`;
  const named = key === undefined ? '' : ` ${quote(key)}`;
  return `getent${from} ${quote(database)}${named} 2>/dev/null; printf '\\n%s' $?; kp_sep`;
}

function databasesOf(effect: Effect): string[] {
  if (effect.type === 'user.set' || effect.type === 'user.remove') return ['passwd', 'shadow', 'group', 'gshadow'];
  if (effect.type === 'group.set' || effect.type === 'group.remove') return ['group', 'gshadow'];
  const path = 'path' in effect ? effect.path : '';
  return path === '/etc/hosts' ? ['hosts', 'ahosts'] : [];
}

function whyOf(effect: Effect): string {
  return 'name' in effect ? `${effect.name} changed` : 'path' in effect ? `${effect.path} changed` : 'it changed';
}
