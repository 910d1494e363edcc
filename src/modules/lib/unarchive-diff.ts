import { modeText } from '../../core/mode.ts';
import type { WorldView } from '../../core/module.ts';
import type { Diff } from '../../core/steps.ts';
import { content } from '../../world/content.ts';
import type { UnarchiveParams } from './unarchive-params.ts';
import { modeOf, type Place } from './unarchive-place.ts';

/** Diffs that are listed one by one. */
const shown = 50;

type Fields = Extract<Diff, { kind: 'fields' }>['fields'];

/** What unpacking changes, entry by entry; also of entries that are as they should be, for they are unpacked again. */
export function unpackedDiff(places: Place[], given: UnarchiveParams, root: boolean, world: WorldView): Diff[] {
  return places.flatMap((place) => diffOf(place, given, root, world)).slice(0, shown);
}

function diffOf(place: Place, given: UnarchiveParams, root: boolean, world: WorldView): Diff[] {
  const { entry, path } = place;
  const replaces = isReplaced(place);
  const bytes = entry.kind === 'file' && !replaces ? contentDiff(place, world) : undefined;
  const fields = [
    ...(replaces ? [stateField(place)] : []),
    ...modeFields(place, given, root),
    ...ownerFields(place, 'owner', place.owners.owner ?? place.owners.uid),
    ...ownerFields(place, 'group', place.owners.group ?? place.owners.gid),
  ];
  return [
    ...(bytes ? [bytes] : []),
    ...(fields.length > 0 ? [{ kind: 'fields' as const, subject: path, fields }] : []),
  ];
}

/** Something else stands there, or nothing where no content tells of it. */
function isReplaced({ entry, fact }: Place): boolean {
  if (entry.kind === 'other') return false;
  if (!fact.exists) return entry.kind !== 'file';
  return fact.kind !== (entry.kind === 'hard' ? 'file' : entry.kind) || fact.target !== targetOf(entry);
}

function targetOf({ kind, target }: Place['entry']): string | undefined {
  return kind === 'link' ? target : undefined;
}

function stateField({ entry, fact }: Place): Fields[number] {
  const words = (kind: string, target: string | undefined) => (target === undefined ? kind : `${kind} to ${target}`);
  const before = fact.exists ? words(fact.kind, fact.target) : 'absent';
  return { name: 'state', before, after: words(entry.kind, entry.target) };
}

function contentDiff({ entry, path, fact }: Place, world: WorldView): Diff | undefined {
  const old = fact.exists ? content(world, path, { sha256: entry.sha256! }).sha256 : undefined;
  if (old === entry.sha256) return undefined;
  const word = (sum: string) => `sha256 ${sum.slice(0, 16)}…`;
  const after = `${word(entry.sha256!)}, ${entry.size} bytes`;
  return { kind: 'bytes', path, before: old === undefined ? null : word(old), after };
}

function modeFields({ entry, fact }: Place, given: UnarchiveParams, root: boolean): Fields {
  const { mode } = modeOf(entry, given, root);
  if (mode === undefined || entry.kind === 'link' || entry.kind === 'other') return [];
  const before = fact.exists && fact.mode !== undefined && fact.kind === entry.kind ? modeText(fact.mode) : null;
  return before === modeText(mode) ? [] : [{ name: 'mode', before, after: modeText(mode) }];
}

/** That something new is root's goes without saying. */
function ownerFields({ entry, fact }: Place, name: 'owner' | 'group', wanted: string | number | undefined): Fields {
  if (wanted === undefined || entry.kind === 'other') return [];
  const before = fact.exists ? (fact[name] ?? null) : 'root';
  return before === String(wanted) ? [] : [{ name, before: fact.exists ? before : null, after: String(wanted) }];
}
