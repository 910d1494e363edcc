import { coerceParams } from '../core/coerce.ts';
import { TaskFailure } from '../core/result.ts';
import { aptModule } from './apt.ts';
import { defineModule } from './define.ts';
import type { AptParams } from './lib/apt-params.ts';
import { aptKeys, planApt } from './lib/apt-plan.ts';
import { completeApt } from './lib/apt-result.ts';

export const packageModule = defineModule({
  name: 'package',
  doc: {
    summary: 'Installs and removes packages with whatever the host has',
    notes: [
      'kpush knows Debian packages: what apt does for `name` and `state`. On other hosts the task fails and says so.',
    ],
    examples: '- package: {name: [socat, conntrack], state: present}\n',
  },
  params: {
    name: { type: 'list', elements: 'str', doc: 'Packages', required: true },
    state: { type: 'str', doc: 'present, absent or latest', required: true },
    use: { type: 'str', doc: 'Package manager; only apt is known', default: 'auto' },
  },
  facts: (params) => aptKeys(aptParams(params)),
  plan(params, world, ctx) {
    if (params.use !== 'auto' && params.use !== 'apt')
      throw new TaskFailure(`kpush has no package manager ${params.use}`, {}, 'use: apt');
    return planApt(aptParams(params), world, ctx);
  },
  complete: (_params, predicted, outcomes) => completeApt(predicted, outcomes),
});

const states: Record<string, AptParams['state']> = {
  present: 'present',
  installed: 'present',
  absent: 'absent',
  removed: 'absent',
  latest: 'latest',
};

/** What apt would be given, with its defaults. */
function aptParams({ name, state }: { name: string[]; state: string }): AptParams {
  const known = states[state];
  if (!known) throw new TaskFailure(`value of state must be one of: ${Object.keys(states).join(', ')}, got: ${state}`);
  const { params } = coerceParams(aptModule.params, { name, state: known }, { module: 'apt', rules: aptModule.rules });
  return params as AptParams;
}
