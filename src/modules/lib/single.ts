import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { result } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import type { Value } from '../../jinja/values.ts';
import type { ContentWants } from '../../world/content.ts';
import { fileFields } from '../../world/file-fields.ts';
import { accountKeys } from './account.ts';
import type { Wanted } from './attributes.ts';
import { destination, destinationKeys } from './destination.ts';
import { mayShow } from './diffs.ts';
import { insideNew, makeDirectories } from './directories.ts';
import { hostPath, pathKeys } from './paths.ts';
import { type Payload, payloadFields } from './payload.ts';
import { type Placed, place } from './place.ts';

/** One file that copy or template puts on a host. */
export interface SingleFile extends Wanted {
  /** As the task says; a directory takes `name`. */
  dest: string;
  name?: string | undefined;
  payload: Payload;
  /** Shown as `src` in the result. */
  src?: string | undefined;
  /** It comes from the host itself: its modules tell the same fields whether anything changed or not. */
  onHost?: boolean;
  follow: boolean;
  force: boolean;
  backup: boolean;
  directoryMode?: number | string | undefined;
  validate?: string | undefined;
  unsafeWrites?: boolean | undefined;
}

/** A copy from one place of the host to another. */
export type RemoteCopy = Omit<SingleFile, 'payload' | 'src' | 'name'> & { src: string };

export function singleKeys(one: SingleFile, ctx: ModuleContext): FactKey[] {
  const wants = one.force ? contentWants(one, ctx) : undefined;
  return [...pathKeys(ctx, one.dest, (path) => destinationKeys(path, one.name, wants)), ...accountKeys(ctx, one)];
}

function contentWants(one: SingleFile, ctx: ModuleContext): ContentWants {
  const shown = ctx.diff && mayShow({ path: one.dest, fact: nothing, payload: one.payload, mode: one.mode });
  return { sha256: one.payload.sha256, ...(shown ? { text: true } : {}) };
}

export function planSingle(one: SingleFile, world: WorldView, ctx: ModuleContext): Plan {
  const at = destination(world, hostPath(world, ctx, one.dest), { name: one.name, follow: one.follow });
  if (!one.force && at.fact.exists) return { steps: [], result: result(false, { dest: at.path, ...source(one) }) };
  const steps: Step[] = [];
  let fact = at.fact;
  if (at.missing && !fact.exists) {
    const above = { ...fact, missing: fact.missing - 1 };
    const made = makeDirectories(parent(at.path), above, { mode: one.directoryMode }, world, ctx);
    steps.push(made);
    fact = insideNew(fact, made);
  }
  const placed = place({ ...one, path: at.path, fact }, world, ctx);
  steps.push(...placed.steps);
  return { steps, result: result(steps.length > 0, valuesOf(one, at.path, placed)), warnings: placed.warnings };
}

const nothing = { exists: false, canonical: '/', parent: 'directory', missing: 1 } as const;

function parent(path: string): string {
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

function source(one: SingleFile): Record<string, Value> {
  return one.src === undefined ? {} : { src: one.src };
}

function valuesOf(one: SingleFile, path: string, placed: Placed): Record<string, Value> {
  const same = { dest: path, checksum: one.payload.digest('sha1'), ...fileFields(path, placed.after) };
  if (!placed.contentChanged && !one.onHost) return { ...same, path };
  return {
    ...same,
    ...source(one),
    size: payloadFields(one.payload).size ?? null,
    md5sum: one.payload.digest('md5'),
    ...(placed.backupFile ? { backup_file: placed.backupFile } : {}),
  };
}
