import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import { TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import { type ContentFact, content, contentKey, textLimit } from '../../world/content.ts';
import { type FileFact, fileKey, type PresentFile } from '../../world/file.ts';
import { accountKeys } from './account.ts';
import { attributeParams, attributeSteps, type Wanted } from './attributes.ts';
import { insideNew, makeDirectories } from './directories.ts';
import { followed } from './links.ts';
import { dirname, hostPath, pathKeys } from './paths.ts';
import { textPayload } from './payload.ts';
import { place } from './place.ts';
import { afterAttributes } from './results.ts';
import { validateParams } from './validate.ts';

/** Parameters of modules that change the text of a file that mostly exists. */
export const editParams = {
  path: { type: 'path', doc: 'The file', required: true, aliases: ['dest', 'destfile', 'name'] },
  backup: { type: 'bool', doc: 'Keep a copy of the old file', default: false },
  ...validateParams,
  ...attributeParams,
} as const;

export interface EditParams extends Wanted {
  path: string;
  backup: boolean;
  validate?: string | undefined;
  unsafe_writes: boolean;
}

/** A file opened for editing, links followed. */
export interface Opened {
  path: string;
  fact: FileFact;
  /** Undefined: there is no file. */
  text: string | undefined;
}

export interface Saved {
  steps: Step[];
  contentChanged: boolean;
  /** Attributes that the task asks for were changed, or given to a new file. */
  attributesChanged: boolean;
  backupFile: string;
  /** The file as it will be; undefined: there is none. */
  after: PresentFile | undefined;
  warnings: string[];
}

export function editKeys(given: EditParams, ctx: ModuleContext): FactKey[] {
  const of = (path: string) => [fileKey(path), contentKey(path, { text: true })];
  return [...pathKeys(ctx, given.path, of), ...accountKeys(ctx, given)];
}

export function openText(given: EditParams, world: WorldView, ctx: ModuleContext): Opened {
  const { path, fact } = followed(world, hostPath(world, ctx, given.path));
  if (!fact.exists) return { path, fact, text: undefined };
  if (fact.kind === 'directory') throw new TaskFailure(`Path ${path} is a directory !`, { rc: 256 });
  const held = content(world, path, { text: true });
  if (held.text === undefined) throw unreadable(path, held.notText);
  return { path, fact, text: held.text };
}

/** The steps that leave `after` in the file; `undefined` leaves everything but the attributes as it is. */
export function saveText(
  opened: Opened,
  after: string | undefined,
  given: EditParams,
  world: WorldView,
  ctx: ModuleContext,
): Saved {
  if (after === undefined || after === opened.text) return unchanged(opened, given, world);
  const { path, fact } = opened;
  const above = !fact.exists && fact.parent === 'missing' ? parentStep(path, fact, world, ctx) : undefined;
  const there = above && !fact.exists ? insideNew(fact, above) : fact;
  const { mode, owner, group, backup, validate, unsafe_writes: unsafeWrites } = given;
  const placed = place(
    { path, fact: there, payload: textPayload(after), mode, owner, group, backup, validate, unsafeWrites },
    world,
    ctx,
  );
  const fields = placed.steps.flatMap((step) => step.diff ?? []).filter((diff) => diff.kind === 'fields');
  const asked = mode !== undefined || owner !== undefined || group !== undefined;
  return {
    steps: [...(above ? [above] : []), ...placed.steps],
    contentChanged: true,
    attributesChanged: asked && fields.length > 0,
    backupFile: placed.backupFile ?? '',
    after: placed.after,
    warnings: placed.warnings,
  };
}

function unchanged({ path, fact }: Opened, given: EditParams, world: WorldView): Saved {
  const steps = fact.exists ? attributeSteps(path, fact, given, world) : [];
  const after = fact.exists ? afterAttributes(path, fact, given, world) : undefined;
  return { steps, contentChanged: false, attributesChanged: steps.length > 0, backupFile: '', after, warnings: [] };
}

function parentStep(
  path: string,
  fact: Extract<FileFact, { exists: false }>,
  world: WorldView,
  ctx: ModuleContext,
): Step {
  return makeDirectories(dirname(path), { ...fact, missing: fact.missing - 1 }, {}, world, ctx);
}

function unreadable(path: string, why: ContentFact['notText']): TaskFailure {
  if (why === 'long') return new TaskFailure(`${path} is longer than ${textLimit / 1024} KiB, too long to be edited`);
  if (why === 'torn')
    return new TaskFailure(
      `${path} cannot be edited: it holds NUL bytes, or was being written while it was read`,
      {},
      'try again when nothing writes it',
    );
  return new TaskFailure(`${path} is not UTF-8 text, so it cannot be edited`);
}
