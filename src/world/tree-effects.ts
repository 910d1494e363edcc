import type { Effect, FilePut } from '../core/effects.ts';
import type { TreeEntry, TreeFact } from './tree.ts';

type FileEffect = Extract<Effect, { type: 'file.put' | 'file.remove' | 'file.unknown' }>;

/** The listing of `root` after an effect at the real path `real`; a text says why it is unknown; undefined: the same. */
export function foldTree(
  root: string,
  fact: TreeFact,
  effect: FileEffect,
  real: string,
): TreeFact | string | undefined {
  if (real === root || root.startsWith(`${real}/`)) return above(fact, effect, real === root);
  const prefix = root === '/' ? '/' : `${root}/`;
  if (!real.startsWith(prefix)) return undefined;
  if (effect.type === 'file.unknown') return effect.why;
  const path = real.slice(prefix.length);
  const rest = fact.entries.filter(
    (entry) => entry.path !== path && !(replaces(effect) && entry.path.startsWith(`${path}/`)),
  );
  const old = fact.entries.find((entry) => entry.path === path);
  return { ...fact, exists: true, entries: effect.type === 'file.put' ? [...rest, entryOf(path, effect, old)] : rest };
}

function above(fact: TreeFact, effect: FileEffect, same: boolean): TreeFact | string | undefined {
  if (effect.type === 'file.unknown') return effect.why;
  if (effect.type === 'file.remove') return { exists: false, entries: [], more: false };
  if (effect.kind === 'link') return `${effect.path} changed`;
  if (effect.kind === 'directory') return fact.exists || !same ? undefined : { exists: true, entries: [], more: false };
  return { exists: false, entries: [], more: false };
}

/** Whether what was below the path is gone. */
function replaces(effect: FileEffect): boolean {
  return effect.type === 'file.remove' || (effect.type === 'file.put' && effect.kind !== 'directory');
}

function entryOf(path: string, effect: FilePut, old: TreeEntry | undefined): TreeEntry {
  const kept = old?.kind === effect.kind ? old : undefined;
  const sha256 = effect.sha256 ?? kept?.sha256;
  return {
    path,
    kind: effect.kind,
    mode: effect.mode ?? kept?.mode ?? 0,
    size: effect.size ?? kept?.size ?? 0,
    ...(sha256 === undefined ? {} : { sha256 }),
  };
}
