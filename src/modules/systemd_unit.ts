import { TaskFailure } from '../core/result.ts';
import { defineModule } from './define.ts';
import { completeUnit } from './lib/unit-change.ts';
import { planUnitFile, type UnitFileParams, unitFileKeys } from './lib/unit-file.ts';

export const systemdUnitModule = defineModule({
  name: 'systemd_unit',
  doc: {
    summary: 'Keeps a unit: its file, its drop-ins, and what it is up to',
    notes: [
      'Unit and drop-ins are checked by `systemd-analyze verify` before they take their place. The manager is reloaded once, and only when something changed.',
      'Drop-ins of others, and a vendor file that is shadowed, are told as warnings: they may be why a unit is not what its file says.',
    ],
    examples: [
      '- systemd_unit:',
      '    name: kubelet.service',
      "    content: \"{{ lookup('template', 'kubelet.service.j2') }}\"",
      '    dropins: {"10-flags.conf": "[Service]\\nEnvironment=V=2\\n"}',
      '    enabled: true',
      '    state: started',
      '',
    ].join('\n'),
    returns: {
      name: 'the unit',
      changed_files: 'paths that were written or removed',
      state: 'as asked',
      enabled: 'as asked',
    },
  },
  params: {
    name: { type: 'str', doc: 'The unit; `.service` where no type is given', required: true, aliases: ['unit'] },
    content: { type: 'str', doc: 'Text of the unit file; without it the file stays as it is' },
    dropins: { type: 'dict', doc: 'Text of drop-ins by file name; null removes one', default: {} },
    directory: { type: 'path', doc: 'Where unit files go', default: '/etc/systemd/system' },
    mode: { type: 'mode', doc: 'Mode of the files', default: 0o644 },
    state: {
      type: 'str',
      doc: 'What it shall be; absent: stopped, disabled and removed',
      choices: ['started', 'stopped', 'restarted', 'reloaded', 'absent'],
    },
    enabled: { type: 'bool', doc: 'Whether it starts at boot' },
    masked: { type: 'bool', doc: 'Whether it cannot be started at all' },
    restart: { type: 'bool', doc: 'Restart it when a file changed and it runs', default: false },
    verify: { type: 'bool', doc: 'Check the text before it is used', default: true },
    no_block: { type: 'bool', doc: 'Do not wait for the job', default: false },
  },
  facts: (params) => unitFileKeys(params as UnitFileParams),
  plan(params, world, ctx) {
    if (/[/*?[\]\s]/.test(params.name)) throw new TaskFailure(`'${params.name}' is no name of a unit`);
    return planUnitFile(params as UnitFileParams, world, ctx);
  },
  complete: (params, predicted, outcomes) => completeUnit(params.name, predicted, outcomes),
});
