import type { FilePut } from '../../core/effects.ts';
import { modeText } from '../../core/mode.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import type { Diff, PutRun, Step } from '../../core/steps.ts';
import { content } from '../../world/content.ts';
import type { FileFact, PresentFile } from '../../world/file.ts';
import { type AttributeChange, attributeChange, attributeSteps, modeBits, type Wanted } from './attributes.ts';
import { backupOf } from './backup.ts';
import { contentDiff, mayShow } from './diffs.ts';
import { ownership } from './owners.ts';
import { dirname } from './paths.ts';
import { type Payload, payloadFields } from './payload.ts';
import { afterAttributes } from './results.ts';
import { checkValidate } from './validate.ts';

/** A file as a module wants it. */
export interface Placement extends Wanted {
  /** Where it goes, links followed as far as they are to be. */
  path: string;
  fact: FileFact;
  payload: Payload;
  backup?: boolean | undefined;
  /** A command with `%s` for the new file, run before it takes its place. */
  validate?: string | undefined;
  unsafeWrites?: boolean | undefined;
  /** Hides the content in diffs whatever path, mode and text say. */
  secret?: boolean | undefined;
}

export interface Placed {
  steps: Step[];
  /** Only the content: attributes alone may make steps too. */
  contentChanged: boolean;
  after: PresentFile;
  backupFile?: string;
  warnings: string[];
}

/** New files get 0666 less this, whatever the host's umask is: modes are never left to it. */
export const umask = 0o022;

/** The steps that make a path hold the payload with the wanted attributes: none, attributes only, or a write. */
export function place(p: Placement, world: WorldView, ctx: ModuleContext): Placed {
  refuseOdd(p);
  checkValidate(p.validate);
  if (isSame(p, world, ctx)) return settled(p, world);
  return written(p, world, ctx);
}

function isSame(p: Placement, world: WorldView, ctx: ModuleContext): boolean {
  if (!p.fact.exists || p.fact.kind !== 'file') return false;
  const wants = { sha256: p.payload.sha256, ...(ctx.diff && mayShow(p) ? { text: true } : {}) };
  return content(world, p.path, wants).sha256 === p.payload.sha256;
}

function settled(p: Placement, world: WorldView): Placed {
  const fact = p.fact as PresentFile;
  const steps = attributeSteps(p.path, fact, p, world);
  const after = afterAttributes(p.path, fact, p, world);
  return { steps, contentChanged: false, after, warnings: [] };
}

function written(p: Placement, world: WorldView, ctx: ModuleContext): Placed {
  const { effect, run, fields } = putOf(p, world, ctx);
  const backup = p.backup && p.fact.exists && p.fact.kind === 'file' ? backupOf(p.path, p.fact, world, ctx) : undefined;
  if (backup) run.backup = backup.path;
  const diff: Diff[] = [contentDiff(p, effect, world, ctx)];
  if (fields.length) diff.push({ kind: 'fields', subject: p.path, fields });
  return {
    steps: [{ title: `write ${p.path}`, run, effects: backup ? [backup.effect, effect] : [effect], diff }],
    contentChanged: true,
    after: predicted(p.fact, effect),
    ...(backup ? { backupFile: backup.path } : {}),
    warnings: hardLinked(p),
  };
}

function putOf(p: Placement, world: WorldView, ctx: ModuleContext) {
  const before = p.fact.exists && p.fact.kind === 'file' ? p.fact : undefined;
  const current = before?.mode ?? 0o666 & ~umask;
  const mode = modeBits(p.mode ?? current, { current, directory: false, umask });
  const { give, effect } = ownership(p.path, p.fact, p, world, ctx);
  return {
    run: {
      kind: 'put',
      path: p.path,
      content: p.payload.content,
      mode,
      ...give,
      ...(p.validate ? { validate: p.validate } : {}),
      ...(p.unsafeWrites ? { unsafeWrites: true } : {}),
    } satisfies PutRun as PutRun,
    effect: {
      type: 'file.put',
      path: p.path,
      kind: 'file',
      mode,
      ...effect,
      ...payloadFields(p.payload),
      nlink: 1,
    } as FilePut,
    fields: attributeFields(p, before, mode, world),
  };
}

type Fields = AttributeChange['fields'];

function attributeFields(p: Placement, before: PresentFile | undefined, mode: number, world: WorldView): Fields {
  if (before) return attributeChange(p.path, before, { ...p, mode }, world).fields;
  const asked: Fields = [{ name: 'mode', before: null, after: modeText(mode) }];
  if (p.owner !== undefined) asked.push({ name: 'owner', before: null, after: p.owner });
  if (p.group !== undefined) asked.push({ name: 'group', before: null, after: p.group });
  return asked;
}

function predicted(fact: FileFact, effect: FilePut): PresentFile {
  const { type: _type, path: _path, kind: _kind, sha256: _sha256, text: _text, ...fields } = effect;
  return { exists: true, canonical: fact.canonical, kind: 'file', ...fields };
}

function refuseOdd({ path, fact }: Placement): void {
  if (fact.exists && !['file', 'link'].includes(fact.kind))
    throw new TaskFailure(`${path} is a ${fact.kind}, not a regular file`);
  if (!fact.exists && fact.parent !== 'directory')
    throw new TaskFailure(`Destination directory ${dirname(path)} does not exist`);
}

function hardLinked({ path, fact }: Placement): string[] {
  if (!fact.exists || fact.kind !== 'file' || (fact.nlink ?? 1) < 2) return [];
  return [`${path} has ${fact.nlink} hard links: a new file takes its place, the other names keep the old content`];
}
