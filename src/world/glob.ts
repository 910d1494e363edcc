import { utf8 } from '../core/bytes.ts';
import type { Effect } from '../core/effects.ts';
import type { Answer, Draft, FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { wildcards } from '../core/wildcards.ts';
import { readKnown } from './read.ts';

/** Paths that match a shell pattern, dangling links included; at most `globLimit` of them. */
export function glob(world: WorldView, pattern: string): string[] {
  return readKnown<string[]>(world, 'glob', pattern);
}

export function globKey(pattern: string): FactKey {
  return { family: 'glob', id: pattern };
}

/** Whether a path is a pattern. */
export function isGlob(path: string): boolean {
  return /[*?[]/.test(path);
}

export const globLimit = 1000;

export const globFamily: FactFamily<string[]> = {
  name: 'glob',
  guarded: true,
  library: () => functions,
  script: (keys) => keys.map((key) => `kf_glob ${words(key.id)}`).join('\n'),
  parse: (record) => known(record === '' ? [] : utf8(record).split('\x1f').slice(0, -1), record),
  absent: (paths) => paths.length === 0,
  reduce,
};

/** Record: each path followed by a US byte. A pattern that matches nothing is left as it stands by the shell. */
const functions = `kf_glob() {
  kf_n=0
  for kf_p; do
    if [ -e "$kf_p" ] || [ -L "$kf_p" ]; then printf '%s\\037' "$kf_p"; fi
    kf_n=$((kf_n+1)); [ $kf_n -lt ${globLimit} ] || break
  done
  kp_sep
}`;

/** The pattern with everything quoted but `*`, `?` and bracket expressions. */
function words(pattern: string): string {
  return pattern
    .split(/([*?]|\[[!^]?\]?[^\]/]*\])/)
    .map((part, index) => (index % 2 === 1 ? bracket(part) : part === '' ? '' : quote(part)))
    .join('');
}

/** Inside of brackets a blank or quote would end the word. */
function bracket(part: string): string {
  if (!part.startsWith('[')) return part;
  const [, negated, inner] = /^\[([!^]?)([\s\S]*)\]$/.exec(part)!;
  return `[${negated ? '!' : ''}${inner!.replace(/[^A-Za-z0-9\-\]]/g, quoted)}]`;
}

/** A backslash before a newline would make both vanish. */
function quoted(sign: string): string {
  return sign === "'" ? "\\'" : `'${sign}'`;
}

function reduce(effect: Effect, draft: Draft): void {
  if (effect.type !== 'file.put' && effect.type !== 'file.remove' && effect.type !== 'file.unknown') return;
  draft.each('glob', (pattern, answer, set) => {
    if (answer.state !== 'known') return;
    const paths = answer.value as string[];
    const next = after(effect, pattern, paths);
    if (next !== paths) set(next === undefined ? { state: 'unknown', why: `${effect.path} changed` } : known(next));
  });
}

/** Undefined: not known. A directory's removal takes what is in it along. */
function after(
  effect: Extract<Effect, { type: 'file.put' | 'file.remove' | 'file.unknown' }>,
  pattern: string,
  paths: string[],
): string[] | undefined {
  if (effect.type === 'file.remove') {
    const left = paths.filter((path) => path !== effect.path && !path.startsWith(`${effect.path}/`));
    return left.length === paths.length ? paths : left;
  }
  if (!wildcards(pattern, { classes: '!^', keepSlashes: true }).test(effect.path) || paths.includes(effect.path))
    return paths;
  return effect.type === 'file.put' ? [...paths, effect.path].sort() : undefined;
}

function known(value: string[], raw = ''): Answer<string[]> {
  return { state: 'known', raw, value };
}
