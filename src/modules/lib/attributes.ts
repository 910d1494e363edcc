import { CoerceError } from '../../core/coerce-error.ts';
import type { FilePut } from '../../core/effects.ts';
import { isSymbolic, type ModeTarget, modeText, resolveMode } from '../../core/mode.ts';
import type { WorldView } from '../../core/module.ts';
import { quote } from '../../core/quote.ts';
import { TaskFailure } from '../../core/result.ts';
import type { Diff, Step } from '../../core/steps.ts';
import type { PresentFile } from '../../world/file.ts';
import { UnknownRead } from '../../world/read.ts';
import { groupIds, ownerIds } from './account.ts';
import { onOpened } from './opened.ts';

/** Mode, owner and group as a module's parameters ask for them; absent ones stay as they are. */
export interface Wanted {
  mode?: number | string | undefined;
  owner?: string | undefined;
  group?: string | undefined;
}

export const attributeParams = {
  mode: {
    type: 'mode',
    doc: "Permission bits: '0644' (quoted, or with a leading zero), or chmod's symbolic form such as u=rw,g=r,o=r",
  },
  owner: { type: 'str', operand: true, doc: 'User that owns it, by name or number' },
  group: { type: 'str', operand: true, doc: 'Group that owns it, by name or number' },
} as const;

export interface AttributeChange {
  commands: string[];
  /** Without path and kind. */
  set: Partial<FilePut>;
  fields: { name: string; before: string | null; after: string | null }[];
}

/** What makes an existing file's attributes as wanted. */
export function attributeChange(path: string, fact: PresentFile, wanted: Wanted, world: WorldView): AttributeChange {
  const owners = [ownerChange(path, fact, wanted.owner, world), groupChange(path, fact, wanted.group, world)];
  const chowned = owners.some((part) => part !== undefined);
  const mode = fact.kind === 'link' ? undefined : modeChange(path, fact, wanted.mode);
  const found = [...owners, mode ?? (chowned ? bitsAgain(path, fact) : undefined)].filter((part) => part !== undefined);
  return {
    commands: found.flatMap((part) => part.commands),
    set: Object.assign({}, ...found.map((part) => part.set)),
    fields: found.flatMap((part) => part.fields),
  };
}

/** One step that does it, or none. */
export function attributeSteps(path: string, fact: PresentFile, wanted: Wanted, world: WorldView): Step[] {
  const { commands, set, fields } = attributeChange(path, fact, wanted, world);
  if (commands.length === 0) return [];
  const diff: Diff = { kind: 'fields', subject: path, fields };
  return [
    {
      title: `set ${fields.map(({ name, after }) => `${name} ${after}`).join(', ')} of ${path}`,
      run: { kind: 'sh', brief: true, script: commands.join(' && ') },
      effects: [{ type: 'file.put', path, kind: effectKind(fact), ...set }],
      diff: [diff],
    },
  ];
}

export function effectKind(fact: PresentFile): FilePut['kind'] {
  return fact.kind === 'file' || fact.kind === 'directory' || fact.kind === 'link' ? fact.kind : 'other';
}

/** The mode as bits; what makes no sense there (preserve without a source) fails the task. */
export function modeBits(mode: number | string, target: ModeTarget): number {
  try {
    return resolveMode(mode, target);
  } catch (error) {
    throw error instanceof CoerceError ? new TaskFailure(error.message, {}, error.hint) : error;
  }
}

/** Shell text that gives a file or directory that is there its mode. */
export function chmod(mode: number, path: string): string {
  return onOpened(path, [chmodText(mode)]);
}

/** Without the path. The five-digit form clears setuid and setgid of directories, which GNU chmod else keeps. */
export function chmodText(mode: number): string {
  return `chmod ${mode.toString(8).padStart(5, '0')}`;
}

function ownerChange(path: string, fact: PresentFile, owner: string | undefined, world: WorldView) {
  if (owner === undefined || owner === fact.owner) return undefined;
  const ids = ownerIds(world, owner);
  if (isSame(ids.uid, fact.uid, ids.owner, fact.owner, `the owner of ${path}`)) return undefined;
  return change('owner', `chown -h ${quote(owner)} ${quote(path)}`, ids, fact.owner ?? fact.uid, owner);
}

function groupChange(path: string, fact: PresentFile, group: string | undefined, world: WorldView) {
  if (group === undefined || group === fact.group) return undefined;
  const ids = groupIds(world, group);
  if (isSame(ids.gid, fact.gid, ids.group, fact.group, `the group of ${path}`)) return undefined;
  return change('group', `chgrp -h ${quote(group)} ${quote(path)}`, ids, fact.group ?? fact.gid, group);
}

/** By number where both are known, else by name. */
function isSame(
  id: number | undefined,
  has: number | undefined,
  name: string | undefined,
  named: string | undefined,
  what: string,
) {
  if (id !== undefined && has !== undefined) return id === has;
  if (name !== undefined && named !== undefined) return name === named;
  return id === known(has, what);
}

function change(
  name: string,
  command: string,
  set: Partial<FilePut>,
  before: string | number | undefined,
  after: string,
): AttributeChange {
  const field = { name, before: before === undefined ? null : String(before), after };
  return { commands: [command], set, fields: [field] };
}

/** The kernel clears setuid and setgid of a file whose owner changes. */
function bitsAgain(path: string, fact: PresentFile): AttributeChange | undefined {
  const mode = fact.kind === 'file' ? fact.mode : undefined;
  return mode !== undefined && mode & 0o6000 ? { commands: [chmod(mode, path)], set: {}, fields: [] } : undefined;
}

function modeChange(path: string, fact: PresentFile, mode: number | string | undefined): AttributeChange | undefined {
  if (mode === undefined) return undefined;
  const current = isSymbolic(mode) ? known(fact.mode, `the mode of ${path}`) : (fact.mode ?? -1);
  const after = modeBits(mode, { current, directory: fact.kind === 'directory' });
  if (after === known(fact.mode, `the mode of ${path}`)) return undefined;
  return {
    commands: [chmod(after, path)],
    set: { mode: after },
    fields: [{ name: 'mode', before: modeText(fact.mode ?? 0), after: modeText(after) }],
  };
}

function known<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new UnknownRead(`${what} is known after an earlier task`);
  return value;
}
