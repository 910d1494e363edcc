import { type Result, TaskFailure } from '../core/result.ts';
import { defineModule } from './define.ts';
import { type MountParams, mountKeys, planMount } from './lib/mount-plan.ts';

export const mountModule = defineModule({
  name: 'mount',
  aliases: ['ansible.posix.mount'],
  doc: {
    summary: 'Keeps a mount and its line in fstab',
    notes: [
      'mounted: in fstab and mounted; present: only in fstab; unmounted: not mounted, fstab as it is; absent: neither, and the empty folder goes; remounted: mounted anew, always; ephemeral: mounted, not in fstab.',
    ],
    examples:
      '- mount: {path: /var/lib/etcd, src: /dev/vdb, fstype: ext4, state: mounted}\n- mount: {path: none, src: /swap.img, fstype: swap, state: absent_from_fstab}\n',
    returns: { name: 'the path', src: 'as given', fstype: 'as given', opts: 'as written', fstab: 'the file' },
  },
  params: {
    path: { type: 'path', doc: 'Where', required: true, aliases: ['name'] },
    state: {
      type: 'str',
      doc: 'What it shall be',
      required: true,
      choices: ['absent', 'absent_from_fstab', 'mounted', 'present', 'unmounted', 'remounted', 'ephemeral'],
    },
    src: { type: 'path', doc: 'Device or source' },
    fstype: { type: 'str', operand: true, doc: 'Type of the file system' },
    opts: { type: 'str', doc: 'Options' },
    dump: { type: 'str', doc: 'Field of fstab', default: '0' },
    passno: { type: 'str', doc: 'Field of fstab', default: '0' },
    boot: { type: 'bool', doc: 'Whether it is mounted at boot', default: true },
    fstab: { type: 'path', doc: 'Another fstab', default: '/etc/fstab' },
    backup: { type: 'bool', doc: 'Keep a copy of the old fstab', default: false },
  },
  rules: {
    requiredIf: (['mounted', 'present', 'ephemeral'] as const).map((value) => ({
      param: 'state',
      value,
      needs: ['src', 'fstype'],
    })),
  },
  facts: (params, ctx) => mountKeys(params as MountParams, ctx),
  plan(params, world, ctx) {
    if (params.path !== 'none' && !params.path.startsWith('/'))
      throw new TaskFailure(`the path '${params.path}' is not absolute`);
    return planMount(params as MountParams, world, ctx);
  },
  complete(params, predicted, outcomes): Result {
    const bad = outcomes.find((outcome) => outcome.status !== 'ok');
    if (!bad) return predicted;
    const doing =
      { unmounted: 'unmounting', absent: 'unmounting', remounted: 'remounting' }[params.state as string] ?? 'mounting';
    const msg = `Error ${doing} ${params.path}: ${bad.stderr.trim() || bad.stdout.trim()}`;
    return { ...predicted, failed: true, values: new Map([...predicted.values, ['msg', msg]]) };
  },
});
