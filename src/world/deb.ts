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
  library: () => functions,
  script: (keys) => keys.map(({ id }) => `kf_deb ${quote(id)}`).join('\n'),
  parse(record, key) {
    if (record === 'm' || record === 'b')
      return { state: 'known', raw: record, value: record === 'm' ? { state: 'missing' } : { state: 'broken' } };
    const [name, version, architecture] = ['Package', 'Version', 'Architecture'].map((field) => fieldOf(record, field));
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

/** The control file by way of a pipe: `dpkg-deb -f` unpacks it below /tmp, and a question must not write. */
const functions = `kf_deb() {
  if [ ! -f "$1" ]; then printf m
  elif kf_o=$(dpkg-deb --ctrl-tarfile "$1" 2>/dev/null | tar -xOf - ./control control 2>/dev/null | sed -n -e '/^Package:/p' -e '/^Version:/p' -e '/^Architecture:/p'; :) && [ -n "$kf_o" ]
  then printf '%s' "$kf_o"
  else printf b
  fi; kp_sep
}`;

function fieldOf(control: string, name: string): string | undefined {
  return utf8(new RegExp(`^${name}: *(.*)$`, 'im').exec(control)?.[1] ?? '').trim() || undefined;
}
