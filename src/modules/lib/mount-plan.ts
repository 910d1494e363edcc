import type { Effect } from '../../core/effects.ts';
import type { FactKey } from '../../core/facts.ts';
import type { ModuleContext, Plan, WorldView } from '../../core/module.ts';
import { quote, quoteAll } from '../../core/quote.ts';
import { result, TaskFailure } from '../../core/result.ts';
import type { Step } from '../../core/steps.ts';
import { file, fileKey } from '../../world/file.ts';
import { type Mounted, type MountFact, mountedOn, mounts, mountsKey } from '../../world/mount.ts';
import { makeDirectories } from './directories.ts';
import { type EditParams, editKeys, openText, type Saved, saveText } from './edit.ts';
import { setEntry, unsetEntry } from './fstab.ts';

/** Parameters of mount after coercion. */
export interface MountParams {
  path: string;
  state: 'absent' | 'absent_from_fstab' | 'mounted' | 'present' | 'unmounted' | 'remounted' | 'ephemeral';
  src?: string | undefined;
  fstype?: string | undefined;
  opts?: string | undefined;
  dump: string;
  passno: string;
  boot: boolean;
  fstab: string;
  backup: boolean;
}

export function mountKeys(params: MountParams, ctx: ModuleContext): FactKey[] {
  const table = usesTable(params) ? editKeys(editOf(params), ctx) : [];
  const live = usesMounts(params) ? [mountsKey, ...(params.path === 'none' ? [] : [fileKey(params.path)])] : [];
  return [...table, ...live];
}

export function planMount(params: MountParams, world: WorldView, ctx: ModuleContext): Plan {
  const opts = optionsOf(params);
  const saved = usesTable(params) ? tableSteps(params, opts, world, ctx) : undefined;
  const live = usesMounts(params) ? liveSteps(params, opts, saved?.contentChanged ?? false, world, ctx) : [];
  const steps = [...(saved?.steps ?? []), ...live];
  const { path: name, src, fstype, fstab, dump, passno, boot } = params;
  const given = { ...(src === undefined ? {} : { src }), ...(fstype === undefined ? {} : { fstype }) };
  const values = {
    name,
    ...given,
    opts,
    dump,
    passno,
    fstab,
    boot: boot ? 'yes' : 'no',
    backup_file: saved?.backupFile ?? '',
  };
  return {
    steps,
    result: result(steps.length > 0, values),
    warnings: [...warningsOf(params), ...(saved?.warnings ?? [])],
  };
}

function usesTable(params: MountParams): boolean {
  return ['absent', 'absent_from_fstab', 'mounted', 'present'].includes(params.state);
}

function usesMounts(params: MountParams): boolean {
  return params.state !== 'present' && params.state !== 'absent_from_fstab';
}

/** `boot: false` is `noauto`; beside `defaults` Ansible leaves it out, and says so. */
function optionsOf({ opts = 'defaults', boot }: MountParams): string {
  const words = opts.split(',');
  return boot || words.includes('noauto') || words.includes('defaults') ? opts : `${opts},noauto`;
}

function warningsOf({ opts = 'defaults', boot }: MountParams): string[] {
  const words = opts.split(',');
  if (boot || words.includes('noauto')) return [];
  return words.includes('defaults') ? ["'boot' is ignored, since 'opts' has 'defaults'"] : [];
}

function tableSteps(params: MountParams, opts: string, world: WorldView, ctx: ModuleContext): Saved {
  const opened = openText(editOf(params), world, ctx);
  const { path, src, fstype = '', dump, passno } = params;
  const before = opened.text ?? '';
  const wanted = params.state === 'mounted' || params.state === 'present';
  const after = wanted
    ? setEntry(before, { path, src: src ?? '', fstype, opts, dump, passno })
    : unsetEntry(before, path, src);
  return saveText(opened, after, editOf(params), world, ctx);
}

function liveSteps(
  params: MountParams,
  opts: string,
  tableChanged: boolean,
  world: WorldView,
  ctx: ModuleContext,
): Step[] {
  const fact = mounts(world);
  const there = mountedOn(fact, params.path);
  switch (params.state) {
    case 'unmounted':
      return there ? [unmount(params, fact)] : [];
    case 'absent':
      return absent(params, fact, there, tableChanged, world);
    case 'remounted':
      return [remount(params, opts)];
    case 'ephemeral':
      return there ? ephemeralAgain(params, opts, there) : [...folder(params, world, ctx), mount(params, opts, fact)];
    default:
      if (!there) return [...folder(params, world, ctx), mount(params, opts, fact)];
      return tableChanged ? [remount(params, opts)] : [];
  }
}

function ephemeralAgain(params: MountParams, opts: string, there: Mounted): Step[] {
  if (there.source !== params.src)
    throw new TaskFailure(
      `Ephemeral mount point ${params.path} is already mounted with a different source: ${there.source}`,
      {},
      'state: unmounted first, or another path',
    );
  return [remount(params, opts)];
}

/** Only what was in fstab is unmounted too, as in Ansible. */
function absent(
  params: MountParams,
  fact: MountFact,
  there: Mounted | undefined,
  listed: boolean,
  world: WorldView,
): Step[] {
  if (!listed) return [];
  const path = params.path;
  const gone = path !== 'none' && (there !== undefined || file(world, path).exists);
  const remove: Step = {
    title: `remove ${path}`,
    run: { kind: 'sh', script: `[ ! -d ${quote(path)} ] || rmdir -- ${quote(path)}` },
    effects: [{ type: 'file.remove', path }],
    proof: [fileKey(path)],
  };
  return [...(there ? [unmount(params, fact)] : []), ...(gone ? [remove] : [])];
}

function folder(params: MountParams, world: WorldView, ctx: ModuleContext): Step[] {
  if (params.path === 'none') return [];
  const fact = file(world, params.path);
  return fact.exists ? [] : [makeDirectories(params.path, fact, { mode: 0o755 }, world, ctx)];
}

function mount(params: MountParams, opts: string, fact: MountFact): Step {
  const { path, src = '', fstype = '', state, fstab } = params;
  const own = ['mount', '-t', fstype, ...(opts === '' ? [] : ['-o', opts]), src, path];
  const listed = fstab === '/etc/fstab' ? ['mount', path] : ['mount', '-T', fstab, path];
  const mounted: Mounted = { path, source: src, fstype, options: opts, root: '/' };
  return {
    title: `mount ${path}`,
    run: { kind: 'sh', script: quoteAll(state === 'ephemeral' ? own : listed) },
    effects: [set({ mounts: [...fact.mounts, mounted] }), below(path)],
    proof: [mountsKey],
    diff: [{ kind: 'fields', subject: path, fields: [{ name: 'mounted', before: null, after: src }] }],
  };
}

function unmount(params: MountParams, fact: MountFact): Step {
  const { path } = params;
  const last = fact.mounts.findLastIndex((one) => one.path === path);
  return {
    title: `unmount ${path}`,
    run: { kind: 'argv', argv: ['umount', '--', path] },
    effects: [set({ mounts: fact.mounts.filter((_, index) => index !== last) }), below(path)],
    proof: [mountsKey],
    diff: [
      {
        kind: 'fields',
        subject: path,
        fields: [{ name: 'mounted', before: fact.mounts[last]?.source ?? null, after: null }],
      },
    ],
  };
}

/** Some file systems cannot be remounted: those are unmounted and mounted. */
function remount(params: MountParams, opts: string): Step {
  const path = quote(params.path);
  const withOpts = quote(`remount,${opts}`);
  return {
    title: `remount ${params.path}`,
    run: { kind: 'sh', script: `mount -o ${withOpts} ${path} 2>/dev/null || { umount ${path} && mount ${path}; }` },
    effects: [below(params.path)],
    always: true,
  };
}

function set(value: MountFact): Effect {
  return { type: 'fact.set', family: 'mounts', id: 'all', value };
}

function below(path: string): Effect {
  return { type: 'file.unknown', path, why: `${path} shows another file system` };
}

function editOf(params: MountParams): EditParams {
  return { path: params.fstab, backup: params.backup, unsafe_writes: false } as EditParams;
}
