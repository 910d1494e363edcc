import { createHash } from 'node:crypto';
import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey, Wants } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote, quoteAll } from '../core/quote.ts';
import { normal } from './file.ts';
import { canonicalOf } from './file-effects.ts';
import { readKnown } from './read.ts';

/** Text beyond this many bytes is not shown or edited; only its hash is known. */
export const textLimit = 256 * 1024;

/** What a regular file holds (links followed). */
export interface ContentFact {
  exists: boolean;
  /** Exists, but is not a regular file. */
  notRegular?: boolean;
  /** Lowercase hex. */
  sha256?: string;
  /** UTF-8 text, when it was asked for, differs from the wanted hash, is text and not too long. */
  text?: string;
  /** Asked for as text, but too long, not UTF-8, or not what its hash says: it lost NUL bytes or was being written. */
  notText?: 'long' | 'binary' | 'torn';
  /** Predicted only, by its hash: why the text is not known. */
  open?: string;
}

/** `sha256`: the wanted content; an equal one answers "same" without text. `text`: also the text when it differs. */
export interface ContentWants {
  sha256?: string;
  text?: boolean;
  /** It is known to be large: hashed by openssl where there is one, which is three times as fast but slower to start. */
  large?: boolean;
}

export function content(world: WorldView, path: string, wants: ContentWants): ContentFact {
  return readKnown<ContentFact>(world, 'content', normal(path), wants as Wants);
}

export function contentKey(path: string, wants: ContentWants): FactKey {
  return { family: 'content', id: normal(path), wants: wants as Wants };
}

export const contentFamily: FactFamily<ContentFact> = {
  name: 'content',
  guarded: false,
  path: (id) => id,
  library: () => functions,
  script: (keys) => {
    const small = keys.filter((key) => !wantsOf(key.wants).large);
    const large = small.length < keys.length ? largeFunction : '';
    return `${large}kf_sums ${quoteAll(small.map((key) => key.id))}\n${keys.map(call).join('\n')}`;
  },
  parse,
  satisfies,
  open: (value) => value.open,
  mergeWants,
  absent: (value) => !value.exists,
  reduce,
  differs: (predicted, actual) =>
    predicted.sha256 !== undefined && predicted.sha256 !== actual.sha256
      ? [`content: expected sha256 ${predicted.sha256}, is ${actual.sha256 ?? 'absent'}`]
      : [],
  proves: (effect) =>
    effect.type === 'file.put' && effect.sha256 ? [contentKey(effect.path, provedBy(effect.sha256, effect.size))] : [],
};

/**
 * All hashes by one sha256sum, whose lines are dealt out in order (it marks odd names with a leading backslash).
 * Records: `=` the wanted hash, `s HASH`, `t HASH` + newline + text, `a` absent, `x` not a regular file, `d` denied.
 */
const functions = `kf_nl='
'
kf_sums() {
  kf_first=1
  for kf_p; do
    [ -z "$kf_first" ] || { kf_first=; set --; }
    [ ! -f "$kf_p" ] || [ ! -r "$kf_p" ] || set -- "$@" "$kf_p"
  done
  kf_o=; [ $# = 0 ] || kf_o=$(sha256sum -- "$@" 2>/dev/null) && kf_o=$kf_o$kf_nl || kf_o=
}
kf_content() {
  kf_p=$1
  if [ -f "$kf_p" ] && [ -r "$kf_p" ]; then
    if [ -n "$kf_o" ]; then kf_l=\${kf_o%%"$kf_nl"*} kf_o=\${kf_o#*"$kf_nl"}
    else kf_l=$(sha256sum -- "$kf_p" 2>/dev/null) || { printf d; kp_sep; return; }
    fi
    kf_l=\${kf_l#\\\\}; kf_l=\${kf_l%% *}
    if [ "$kf_l" = "$2" ]; then printf =
    elif [ -n "\${3-}" ]; then printf 't%s\\n' "$kf_l"; head -c 262145 "$kf_p"
    else printf 's%s' "$kf_l"
    fi
  elif [ -f "$kf_p" ]; then printf d
  elif [ -e "$kf_p" ]; then printf x
  else kf_unseen "$kf_p"
  fi
  kp_sep
}
kf_unseen() {
  kf_d=$1
  while [ -n "$kf_d" ]; do
    kf_d=\${kf_d%/*}
    [ ! -d "$kf_d/" ] || { if [ -x "$kf_d/" ]; then printf a; else printf d; fi; return; }
  done
  printf a
}`;

/** Seldom used, so not part of what every question brings. */
const largeFunction = `kf_large() {
  kf_k=$kf_o kf_o=
  if [ -f "$1" ] && [ -r "$1" ] && command -v openssl >/dev/null; then
    kf_o=$(openssl dgst -sha256 -r <"$1" 2>/dev/null) && kf_o=$kf_o$kf_nl || kf_o=
  fi
  kf_content "$@"
  kf_o=$kf_k
}
`;

const largeSize = 4 * 1024 * 1024;

function provedBy(sha256: string, size = 0): ContentWants {
  return { sha256, ...(size >= largeSize ? { large: true } : {}) };
}

function call(key: FactKey): string {
  const { sha256 = '', text, large } = wantsOf(key.wants);
  return `${large ? 'kf_large' : 'kf_content'} ${quote(key.id)} ${sha256 === '' ? "''" : sha256}${text ? ' t' : ''}`;
}

function parse(record: string, key: FactKey): Answer<ContentFact> {
  if (record === 'd') return { state: 'denied', raw: record, path: key.id };
  const value = contentOf(record, key);
  return { state: 'known', raw: record.slice(0, 65), value };
}

function contentOf(record: string, key: FactKey): ContentFact {
  if (record === 'a') return { exists: false };
  if (record === 'x') return { exists: true, notRegular: true };
  if (record === '=') return { exists: true, sha256: wantsOf(key.wants).sha256! };
  const sha256 = record.slice(1, 65);
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new Error(`unreadable hash of ${key.id}: ${record.slice(0, 80)}`);
  return { exists: true, sha256, ...(record[0] === 't' ? textOf(record.slice(66), sha256) : {}) };
}

function textOf(bytes: string, sha256: string): Pick<ContentFact, 'text' | 'notText'> {
  if (bytes.length > textLimit) return { notText: 'long' };
  const text = utf8(bytes);
  if (text.includes('�') || text.includes('\0')) return { notText: 'binary' };
  const whole = createHash('sha256').update(bytes, 'latin1').digest('hex') === sha256;
  return whole ? { text } : { notText: 'torn' };
}

function satisfies(answer: Answer<ContentFact>, wants: Wants | undefined): boolean {
  if (answer.state !== 'known' || !answer.value.exists || answer.value.notRegular) return true;
  const { sha256, text } = wantsOf(wants);
  if (answer.value.sha256 === undefined) return false;
  return (
    !text || answer.value.text !== undefined || answer.value.notText !== undefined || answer.value.sha256 === sha256
  );
}

/** Two readers who want different content, or one who wants the text whatever it is, need the text itself. */
function mergeWants(a: Wants | undefined, b: Wants | undefined): Wants {
  const [left, right] = [wantsOf(a), wantsOf(b)];
  const sha256 = left.sha256 === right.sha256 ? left.sha256 : undefined;
  return {
    ...(sha256 ? { sha256 } : {}),
    ...(left.text || right.text ? { text: true } : {}),
    ...(left.large || right.large ? { large: true } : {}),
  };
}

function wantsOf(wants: Wants | undefined): ContentWants {
  return (wants ?? {}) as ContentWants;
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  const real = canonicalOf(effect.path, draft);
  const told = effect.type === 'file.put' && effect.kind === 'file' ? after(effect) : undefined;
  // Where it tells no content the host can still be asked: a touched file holds what it held.
  if (told && !draft.get('content', effect.path)) draft.set('content', effect.path, told);
  draft.near('content', real, (id, answer, set) => {
    const path = canonicalOf(id, draft);
    if (path === real || path.startsWith(`${real}/`)) {
      const next =
        path === real || effect.type !== 'file.put' ? (after(effect) ?? appeared(answer, effect)) : undefined;
      if (next) set(next);
    }
  });
}

/** A file that was not there and is now, with a content nobody told. */
function appeared(answer: Answer, effect: Effect): Answer<ContentFact> | undefined {
  if (effect.type !== 'file.put' || answer.state !== 'known' || (answer.value as ContentFact).exists) return undefined;
  return { state: 'unknown', why: `${effect.path} changed` };
}

/** Undefined: the content stays what it is. */
function after(effect: Effect): Answer<ContentFact> | undefined {
  if (effect.type === 'file.unknown') return { state: 'unknown', why: effect.why };
  if (effect.type === 'file.remove') return { state: 'known', raw: '', value: { exists: false } };
  if (effect.type !== 'file.put') return undefined;
  if (effect.kind !== 'file') return { state: 'known', raw: '', value: { exists: true, notRegular: true } };
  if (effect.sha256 === undefined) return undefined;
  const { sha256, text, notText } = effect;
  const told = text !== undefined ? { text } : notText ? { notText } : { open: `${effect.path} changed` };
  return { state: 'known', raw: '', value: { exists: true, sha256, ...told } };
}
