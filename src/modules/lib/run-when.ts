import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, WorldView } from '../../core/module.ts';
import type { ParamSpecs } from '../../core/params.ts';
import { expanded, expands } from '../../world/expand.ts';
import { file, fileKey } from '../../world/file.ts';
import { glob, globKey, isGlob } from '../../world/glob.ts';
import { type Probe, probe, probeKey } from '../../world/probe.ts';
import { hostPath, pathKeys } from './paths.ts';

/** What command, shell and script have in common: where, and whether they need to run at all. */
export const runWhenParams = {
  chdir: { type: 'path', doc: 'Directory to run in; `creates` and `removes` may be relative to it' },
  creates: { type: 'path', doc: 'A path or pattern: when it is there, there is nothing to do' },
  removes: { type: 'path', doc: 'A path or pattern: when it is not there, there is nothing to do' },
  unless: { type: 'str', doc: 'kpush: a shell command without side effects; when it succeeds, there is nothing to do' },
  only_if: { type: 'str', doc: 'kpush: a shell command without side effects; when it fails, there is nothing to do' },
} as const satisfies ParamSpecs;

export interface RunWhen {
  chdir?: string | undefined;
  creates?: string | undefined;
  removes?: string | undefined;
  unless?: string | undefined;
  only_if?: string | undefined;
}

/** The facts that decide. */
export function runWhenKeys(params: RunWhen, ctx: ModuleContext): FactKey[] {
  const paths = [params.creates, params.removes].filter((path): path is string => path !== undefined);
  const place = params.chdir === undefined ? [] : pathKeys(ctx, params.chdir, () => []);
  const chdirKnown = params.chdir === undefined || !expands(params.chdir);
  return [
    ...place,
    ...paths.flatMap((path) => pathKeys(ctx, located(path, params.chdir), (full) => [pathKey(full)])),
    ...(chdirKnown ? probes(params, params.chdir, ctx).map(probeKey) : []),
  ];
}

/** Why there is nothing to do, in Ansible's words; undefined: run it. */
export function notNeeded(params: RunWhen, world: WorldView, ctx: ModuleContext): NotNeeded | undefined {
  const { creates, removes } = params;
  const would = ctx.checkMode ? 'Would' : 'Did';
  if (creates !== undefined && there(creates, params, world, ctx))
    return because(would, `'${creates}' exists`, `${creates} exists`);
  if (removes !== undefined && !there(removes, params, world, ctx))
    return because(would, `'${removes}' does not exist`, `${removes} does not exist`);
  const place = params.chdir === undefined ? undefined : hostPath(world, ctx, params.chdir);
  for (const each of probes(params, place, ctx)) {
    const { rc } = probe(world, each);
    if (each.command === params.unless && rc === 0)
      return because(would, `'${params.unless}' succeeded`, 'unless succeeded');
    if (each.command === params.only_if && rc !== 0)
      return because(would, `'${params.only_if}' failed (exit code ${rc})`, 'only_if failed');
  }
  return undefined;
}

export interface NotNeeded {
  msg: string;
  stdout: string;
}

function because(would: string, reason: string, short: string): NotNeeded {
  return { msg: `${would} not run command since ${reason}`, stdout: `skipped, since ${short}` };
}

/** Whether anything says when to run: such a command has a lasting effect and is not run always. */
export function decides(params: RunWhen): boolean {
  return [params.creates, params.removes, params.unless, params.only_if].some((given) => given !== undefined);
}

/** The real path of `creates`, where it is no pattern. */
export function createdPath(params: RunWhen, world: WorldView, ctx: ModuleContext): string | undefined {
  if (params.creates === undefined || isGlob(params.creates)) return undefined;
  return hostPath(world, ctx, located(params.creates, params.chdir));
}

function there(path: string, params: RunWhen, world: WorldView, ctx: ModuleContext): boolean {
  const full = hostPath(world, ctx, located(path, params.chdir));
  return isGlob(full) ? glob(world, full).length > 0 : file(world, full).exists;
}

function pathKey(path: string): FactKey {
  return isGlob(path) ? globKey(path) : fileKey(path);
}

/** Without a directory to run in, a command starts in its user's home. */
function located(path: string, chdir: string | undefined): string {
  if (/^[/~$]/.test(path)) return path;
  return `${(chdir ?? '~').replace(/\/+$/, '')}/${path}`;
}

function probes(params: RunWhen, cwd: string | undefined, ctx: ModuleContext): Probe[] {
  const env = Object.keys(ctx.env).length > 0 ? { env: ctx.env } : {};
  return [params.unless, params.only_if]
    .filter((command): command is string => command !== undefined)
    .map((command) => ({ command, ...(cwd === undefined ? {} : { cwd }), ...env }));
}

/** The directory to run in, as the host expands it. */
export function runIn(params: RunWhen, world: WorldView): string | undefined {
  return params.chdir !== undefined && expands(params.chdir) ? expanded(world, params.chdir) : params.chdir;
}
