import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { readKnown } from './read.ts';

/** What a package file on the host holds; `broken`: it is there and no package. */
export type DebFact =
  | { state: 'package'; name: string; version: string; architecture: string }
  | { state: 'missing' }
  | { state: 'broken' };

export function deb(world: WorldView, path: string): DebFact {
  return readKnown<DebFact>(world, 'deb', path);
}

export function debKey(path: string): FactKey {
  return { family: 'deb', id: path };
}

export const debFamily: FactFamily<DebFact> = {
  name: 'deb',
  guarded: true,
  script: (keys) => keys.map(({ id }) => call(quote(id))).join('\n'),
  parse(record, key) {
    const [name, version, architecture] = utf8(record).split('\n');
    if (record === 'm' || record === 'b')
      return { state: 'known', raw: record, value: record === 'm' ? { state: 'missing' } : { state: 'broken' } };
    if (!name || !version || !architecture)
      throw new Error(`unreadable package file ${key.id}: ${record.slice(0, 80)}`);
    return { state: 'known', raw: record, value: { state: 'package', name, version, architecture } };
  },
  absent: (fact) => fact.state === 'missing',
  reduce(effect, draft) {
    if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
    draft.each('deb', (id, _answer, set) => {
      if (id === effect.path || id.startsWith(`${effect.path}/`))
        set({ state: 'unknown', why: `${effect.path} changed` });
    });
  },
};

function call(path: string): string {
  const fields = `dpkg-deb -f ${path} Package && dpkg-deb -f ${path} Version && dpkg-deb -f ${path} Architecture`;
  return `if [ ! -f ${path} ]; then printf m; elif kf_o=$({ ${fields}; } 2>/dev/null); then printf '%s' "$kf_o"; else printf b; fi; kp_sep`;
}
