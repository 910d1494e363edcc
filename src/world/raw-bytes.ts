import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';

/** Files beyond this many bytes are not read: an answer holds at most 1 MiB. */
export const bytesLimit = 700 * 1024;

/** What a regular file holds, links followed. */
export type BytesFact = { state: 'bytes'; base64: string } | { state: 'absent' | 'long' | 'not-regular' };

export function rawBytes(world: WorldView, path: string): BytesFact {
  return readKnown<BytesFact>(world, 'bytes', normal(path));
}

export function rawBytesKey(path: string): FactKey {
  return { family: 'bytes', id: normal(path) };
}

export const rawBytesFamily: FactFamily<BytesFact> = {
  name: 'bytes',
  guarded: false,
  path: (id) => id,
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_bytes ${quote(key.id)}`).join('\n'),
  parse,
  absent: (value) => value.state === 'absent',
  reduce,
};

/** Records: `=` and base64, or `a` absent, `x` no regular file, `d` may not be read, `l` too long. */
const functions = `kf_bytes() {
  if [ ! -e "$1" ]; then printf a
  elif [ ! -f "$1" ]; then printf x
  elif [ ! -r "$1" ]; then printf d
  elif [ "$(wc -c < "$1")" -gt ${bytesLimit} ]; then printf l
  else printf =; base64 < "$1"
  fi
  kp_sep
}`;

const states: Record<string, BytesFact> = {
  a: { state: 'absent' },
  x: { state: 'not-regular' },
  l: { state: 'long' },
};

function parse(record: string, key: FactKey): Answer<BytesFact> {
  if (record === 'd') return { state: 'denied', raw: record, path: key.id };
  const base64 = record.slice(1).replace(/\s/g, '');
  const value: BytesFact | undefined = record.startsWith('=') ? { state: 'bytes', base64 } : states[record];
  if (!value) throw new Error(`unreadable bytes of ${key.id}: ${record.slice(0, 80)}`);
  return { state: 'known', raw: record.slice(0, 64), value };
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.near('bytes', real, (id, answer, set) => {
    const path = canonicalOf(id, draft);
    if (path !== real && !path.startsWith(`${real}/`)) return;
    const next = after(effect, path === real, answer);
    if (next) set(next);
  });
}

/** Undefined: the content stays what it is. */
function after(effect: Effect, same: boolean, old: Answer): Answer<BytesFact> | undefined {
  const known = (value: BytesFact) => ({ state: 'known', raw: '', value }) as const;
  if (effect.type === 'file.unknown') return { state: 'unknown', why: effect.why };
  if (effect.type === 'file.remove') return known({ state: 'absent' });
  if (effect.type !== 'file.put' || !same) return undefined;
  if (effect.kind !== 'file') return known({ state: 'not-regular' });
  if (effect.text !== undefined) return known({ state: 'bytes', base64: Buffer.from(effect.text).toString('base64') });
  const appeared = old.state === 'known' && (old.value as BytesFact).state === 'absent';
  return effect.sha256 !== undefined || appeared ? { state: 'unknown', why: `${effect.path} was written` } : undefined;
}
