import { createHash } from 'node:crypto';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quoteAll } from '../core/quote.ts';
import { normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';

export const algorithms = ['md5', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512'] as const;
export type Algorithm = (typeof algorithms)[number];

/** Lowercase hex of a regular file's content, links followed; undefined: there is no such file. */
export function digest(world: WorldView, path: string, algorithm: Algorithm): string | undefined {
  return readKnown<DigestFact>(world, 'digest', digestKey(path, algorithm).id).hex;
}

export function digestKey(path: string, algorithm: Algorithm): FactKey {
  return { family: 'digest', id: `${algorithm} ${normal(path)}` };
}

interface DigestFact {
  hex?: string;
}

export const digestFamily: FactFamily<DigestFact> = {
  name: 'digest',
  guarded: false,
  path: (id) => partsOf(id)[1],
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_digest ${quoteAll(partsOf(key.id))}`).join('\n'),
  parse,
  absent: (value) => value.hex === undefined,
  reduce,
};

/** Records: the hex, `a` (no regular file there), `d` (may not be read), `u` (no such tool). */
const functions = `kf_digest() {
  if [ ! -f "$2" ]; then printf a
  elif [ ! -r "$2" ]; then printf d
  elif kf_o=$(\${1}sum < "$2" 2>/dev/null); then printf '%s' "\${kf_o%% *}"
  else printf u
  fi
  kp_sep
}`;

function parse(record: string, key: FactKey): Answer<DigestFact> {
  const [algorithm, path] = partsOf(key.id);
  if (record === 'a') return { state: 'known', raw: record, value: {} };
  if (record === 'd') return { state: 'denied', raw: record, path };
  if (record === 'u') return { state: 'unknown', why: `the host has no ${algorithm}sum` };
  if (!/^[0-9a-f]+$/.test(record)) throw new Error(`unreadable ${algorithm} of ${path}: ${record.slice(0, 80)}`);
  return { state: 'known', raw: record, value: { hex: record } };
}

function partsOf(id: string): [Algorithm, string] {
  const at = id.indexOf(' ');
  return [id.slice(0, at) as Algorithm, id.slice(at + 1)];
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  draft.near('digest', real, (id, answer, set) => {
    const [algorithm, path] = partsOf(id);
    const at = canonicalOf(path, draft);
    if (at !== real && !at.startsWith(`${real}/`)) return;
    const next = after(effect, algorithm, at === real, answer);
    if (next) set(next);
  });
}

/** Undefined: the content stays what it is. */
function after(effect: Effect, algorithm: Algorithm, same: boolean, old: Answer): Answer<DigestFact> | undefined {
  const known = (hex?: string) => ({ state: 'known', raw: '', value: hex === undefined ? {} : { hex } }) as const;
  if (effect.type === 'file.unknown') return { state: 'unknown', why: effect.why };
  if (effect.type === 'file.remove') return known();
  if (effect.type !== 'file.put' || !same) return undefined;
  if (effect.kind !== 'file') return known();
  if (effect.text !== undefined) return known(createHash(algorithm).update(effect.text).digest('hex'));
  if (effect.sha256 !== undefined)
    return algorithm === 'sha256' ? known(effect.sha256) : { state: 'unknown', why: `${effect.path} was written` };
  const absent = old.state === 'known' && (old.value as DigestFact).hex === undefined;
  return absent ? { state: 'unknown', why: `${effect.path} changed` } : undefined;
}
