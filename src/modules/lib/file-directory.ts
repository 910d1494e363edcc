import type { FilePut } from '../../core/effects.ts';
import type { FactKey } from '../../core/facts.ts';
import { isSymbolic, modeText } from '../../core/mode.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Diff, Step } from '../../core/steps.ts';
import { modeTest, ownerTest } from '../../world/deviation-tests.ts';
import {
  type Deviation,
  type DeviationsFact,
  deviates,
  deviations,
  deviationsKey,
  type Uniform,
} from '../../world/deviations.ts';
import { normal, type PresentFile } from '../../world/file.ts';
import { fileFields, stateOf } from '../../world/file-fields.ts';
import { groupIds, ownerIds } from './account.ts';
import { modeBits } from './attributes.ts';
import { makeDirectories } from './directories.ts';
import type { FileParams } from './file-params.ts';
import { adjusted } from './file-touch.ts';
import { located } from './links.ts';

/** `state: directory`: made with all that is missing above it, or given the attributes; with recurse, all below too. */
export function directory(given: FileParams, world: WorldView, ctx: ModuleContext): Plan {
  const { path, fact } = located(world, given.path, given.follow);
  if (!fact.exists) return made(path, makeDirectories(path, fact, given, world, ctx));
  if (fact.kind !== 'directory')
    throw new TaskFailure(`${path} already exists as a ${stateOf(fact)}`, { path, state: stateOf(fact) });
  const { steps, fields } = adjusted(path, fact, given, 'preserve', world);
  const below = given.recurse ? recurse(path, uniform(given), world) : [];
  const all = [...steps, ...below];
  return { steps: all, result: result(all.length > 0, { path, ...fields }) };
}

export function directoryKeys(given: FileParams, path: string): FactKey[] {
  return given.recurse && hasWanted(given) ? [deviationsKey(path, uniform(given))] : [];
}

function made(path: string, step: Step): Plan {
  const put = step.effects.at(-1) as FilePut;
  const fact: PresentFile = { exists: true, canonical: path, ...put, kind: 'directory' };
  return { steps: [step], result: result(true, { path, ...fileFields(path, fact) }) };
}

function uniform({ mode, owner, group }: FileParams): Uniform {
  return { mode, owner, group };
}

function hasWanted({ mode, owner, group }: FileParams): boolean {
  return mode !== undefined || owner !== undefined || group !== undefined;
}

function recurse(path: string, wanted: Uniform, world: WorldView): Step[] {
  if (Object.values(wanted).every((value) => value === undefined)) return [];
  const found = deviations(world, path, wanted);
  if (found.entries.length === 0 && !found.more) return [];
  const count = found.more ? `more than ${found.entries.length}` : String(found.entries.length);
  return [
    {
      title: `set ${wordsOf(wanted)} of ${count} below ${path}`,
      run: { kind: 'sh', script: commands(path, wanted).join(' && ') },
      effects: effectsOf(path, found, wanted, world),
      diff: inOrder(found.entries)
        .slice(0, shown)
        .map((entry) => entryDiff(entry, wanted)),
    },
  ];
}

/** The host finds them in its own order, a plan knows what was made last: shown alike. */
function inOrder(entries: readonly Deviation[]): Deviation[] {
  return [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Entries that a diff lists one by one. */
const shown = 50;

/** Deepest first, so that a directory may lose its own permissions; the same tests that found what deviates. */
function commands(path: string, { owner, group, mode }: Uniform): string[] {
  const find = (test: string, action: string) =>
    `find ${quote(`${normal(path)}/.`)} -depth ${test} -exec ${action} {} +`;
  const found: string[] = [];
  if (owner !== undefined) found.push(find(ownerTest('-user', owner, 'passwd'), `chown -h ${quote(owner)}`));
  if (group !== undefined) found.push(find(ownerTest('-group', group, 'group'), `chgrp -h ${quote(group)}`));
  if (mode !== undefined) found.push(find(modeTest(mode), `chmod ${chmodArgument(mode)}`));
  return found;
}

function chmodArgument(mode: number | string): string {
  if (isSymbolic(mode)) return quote(String(mode));
  return modeBits(mode, { current: 0, directory: false }).toString(8).padStart(5, '0');
}

function effectsOf(path: string, found: DeviationsFact, wanted: Uniform, world: WorldView): Step['effects'] {
  if (found.more) return [{ type: 'file.unknown', path, why: `attributes below ${path} were set` }];
  return found.entries.map((entry) => ({
    type: 'file.put',
    path: entry.path,
    kind: entry.kind,
    ...(wanted.owner === undefined ? {} : ownerIds(world, wanted.owner)),
    ...(wanted.group === undefined ? {} : groupIds(world, wanted.group)),
    ...modeOf(entry, wanted),
  }));
}

function modeOf(entry: Deviation, { mode }: Uniform): { mode?: number } {
  if (mode === undefined || entry.kind === 'link') return {};
  return { mode: modeBits(mode, { current: entry.mode, directory: entry.kind === 'directory' }) };
}

function entryDiff(entry: Deviation, wanted: Uniform): Diff {
  const before = { owner: entry.owner, group: entry.group, mode: modeText(entry.mode) };
  const after = { owner: wanted.owner, group: wanted.group, mode: modeTextOf(entry, wanted) };
  const names = (['owner', 'group', 'mode'] as const).filter((name) => deviates(entry, { [name]: wanted[name] }));
  return {
    kind: 'fields',
    subject: entry.path,
    fields: names.map((name) => ({ name, before: before[name], after: after[name] ?? null })),
  };
}

function modeTextOf(entry: Deviation, wanted: Uniform): string | undefined {
  const { mode } = modeOf(entry, wanted);
  return mode === undefined ? undefined : modeText(mode);
}

function wordsOf({ owner, group, mode }: Uniform): string {
  const words = { owner, group, mode: typeof mode === 'number' ? modeText(mode) : mode };
  return Object.entries(words)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
