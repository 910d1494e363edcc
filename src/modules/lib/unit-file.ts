import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import { contentKey } from '../../world/content.ts';
import { file, fileKey } from '../../world/file.ts';
import { fullName, type UnitFact, unit, unitKey } from '../../world/unit.ts';
import { makeDirectories } from './directories.ts';
import { afterEffects } from './overlay.ts';
import { textPayload } from './payload.ts';
import { place } from './place.ts';
import { changesOf, unitStep, type WantedUnit } from './unit-change.ts';
import { verifyCommand } from './unit-verify.ts';

/** Parameters of systemd_unit after coercion. */
export interface UnitFileParams {
  name: string;
  content?: string | undefined;
  dropins: Record<string, unknown>;
  directory: string;
  mode: number | string;
  state?: 'started' | 'stopped' | 'restarted' | 'reloaded' | 'absent' | undefined;
  enabled?: boolean | undefined;
  masked?: boolean | undefined;
  restart: boolean;
  verify: boolean;
  no_block: boolean;
}

export function unitFileKeys(params: UnitFileParams): FactKey[] {
  const paths = wantedFiles(params).map(({ path }) => path);
  const folder = dropInFolder(params);
  const files = paths.flatMap((path) => [fileKey(path), contentKey(path, { text: true })]);
  return [unitKey(params.name), ...files, ...(Object.keys(params.dropins).length > 0 ? [fileKey(folder)] : [])];
}

/** Files first, then one systemd step that loads them, links the unit and starts it. */
export function planUnitFile(params: UnitFileParams, world: WorldView, ctx: ModuleContext): Plan {
  const fact = unit(world, params.name);
  if (params.state === 'absent') return absent(params, fact, world);
  const writes = fileSteps(params, world, ctx);
  const effects = writes.flatMap((step) => step.effects);
  const later = writes.length > 0 ? afterEffects(world, [unitKey(params.name)], effects) : world;
  const now = unit(later, params.name);
  const changes = changesOf(wantedUnit(params, now, writes.length > 0), now, world);
  const steps = [
    ...writes,
    ...(changes.ops.length > 0 ? [unitStep({ name: params.name, scope: 'system' }, changes)] : []),
  ];
  const files = writes.map((step) => pathOf(step)).filter((path) => path !== undefined);
  const values = { name: params.name, changed_files: files, ...changes.result };
  const warnings = warningsOf(params, fact);
  return {
    steps,
    result: result(writes.length > 0 || changes.changed, values),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

function wantedUnit(params: UnitFileParams, fact: UnitFact, written: boolean): WantedUnit {
  const runs = fact.active === 'active' || fact.active === 'activating';
  const restart = params.restart && written && runs && (params.state === undefined || params.state === 'started');
  const state = restart ? 'restarted' : params.state === 'absent' ? undefined : params.state;
  return {
    name: params.name,
    scope: 'system',
    state,
    enabled: params.enabled,
    masked: params.masked,
    noBlock: params.no_block,
    reload: written && fact.needReload === true,
  };
}

interface WantedFile {
  path: string;
  /** Undefined: it shall not be there. */
  text: string | undefined;
  dropIn: boolean;
}

function wantedFiles(params: UnitFileParams): WantedFile[] {
  const own = params.content === undefined ? [] : [{ path: unitPath(params), text: params.content, dropIn: false }];
  const dropIns = Object.entries(params.dropins).map(([name, text]) => ({
    path: `${dropInFolder(params)}/${checkedName(name)}`,
    text: text === null ? undefined : String(text),
    dropIn: true,
  }));
  return [...own, ...dropIns];
}

function unitPath(params: UnitFileParams): string {
  return `${params.directory}/${fullName(params.name)}`;
}

function dropInFolder(params: UnitFileParams): string {
  return `${unitPath(params)}.d`;
}

function checkedName(name: string): string {
  if (!/^[^/\0]+\.conf$/.test(name)) throw new TaskFailure(`'${name}' is no name of a drop-in: it must end in .conf`);
  return name;
}

function fileSteps(params: UnitFileParams, world: WorldView, ctx: ModuleContext): Step[] {
  const wanted = wantedFiles(params);
  const needsFolder = wanted.some(({ dropIn, text }) => dropIn && text !== undefined);
  const folder = needsFolder ? folderStep(dropInFolder(params), world, ctx) : undefined;
  const after = folder
    ? afterEffects(
        world,
        wanted.filter(({ dropIn }) => dropIn).map(({ path }) => fileKey(path)),
        folder.effects,
      )
    : world;
  return [...(folder ? [folder] : []), ...wanted.flatMap((one) => fileStep(one, params, after, ctx))];
}

function folderStep(path: string, world: WorldView, ctx: ModuleContext): Step | undefined {
  const fact = file(world, path);
  return fact.exists ? undefined : makeDirectories(path, fact, { mode: 0o755 }, world, ctx);
}

function fileStep(wanted: WantedFile, params: UnitFileParams, world: WorldView, ctx: ModuleContext): Step[] {
  const fact = file(world, wanted.path);
  if (wanted.text === undefined) return fact.exists ? [removeStep(wanted.path)] : [];
  const validate = params.verify
    ? verifyCommand(fullName(params.name), wanted.dropIn ? wanted.path : undefined)
    : undefined;
  return place({ path: wanted.path, fact, payload: textPayload(wanted.text), mode: params.mode, validate }, world, ctx)
    .steps;
}

function removeStep(path: string): Step {
  return {
    title: `remove ${path}`,
    run: { kind: 'argv', argv: ['rm', '-f', '--', path] },
    effects: [{ type: 'file.remove', path }],
    proof: [fileKey(path)],
    diff: [{ kind: 'fields', subject: path, fields: [{ name: 'state', before: 'present', after: 'absent' }] }],
  };
}

/** Stopped and disabled while systemd still knows it, then removed, then forgotten. */
function absent(params: UnitFileParams, fact: UnitFact, world: WorldView): Plan {
  const there = fact.load !== 'not-found';
  const off = there
    ? changesOf({ name: params.name, scope: 'system', state: 'stopped', enabled: false }, fact, world)
    : undefined;
  const folder = dropInFolder(params);
  const removed = [unitPath(params), folder].filter((path) => file(world, path).exists).map(removeAll);
  const reload: Step = {
    title: 'daemon-reload',
    run: { kind: 'systemd', ops: [{ op: 'daemon-reload' }], scope: 'system' },
    effects: [{ type: 'systemd.reload' }],
    always: true,
  };
  const first = off && off.ops.length > 0 ? [unitStep({ name: params.name, scope: 'system' }, off)] : [];
  const steps = [...first, ...removed, ...(removed.length > 0 ? [reload] : [])];
  return { steps, result: result(steps.length > 0, { name: params.name, state: 'absent' }) };
}

function removeAll(path: string): Step {
  return { ...removeStep(path), run: { kind: 'argv', argv: ['rm', '-rf', '--', path] } };
}

function warningsOf(params: UnitFileParams, fact: UnitFact): string[] {
  const own = new Set(wantedFiles(params).map(({ path }) => path));
  const foreign = fact.dropIns.filter((path) => !own.has(path));
  const path = unitPath(params);
  const shadowed = params.content !== undefined && fact.fragment && fact.fragment !== path && fact.load === 'loaded';
  return [
    ...foreign.map((dropIn) => `${params.name} is also changed by ${dropIn}, which this task does not know`),
    ...(shadowed ? [`${path} takes the place of ${fact.fragment}`] : []),
  ];
}

function pathOf(step: Step): string | undefined {
  const effect = step.effects.find(({ type }) => type === 'file.put' || type === 'file.remove');
  return effect && 'path' in effect ? effect.path : undefined;
}
