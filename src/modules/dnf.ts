import { defineModule } from './define.ts';
import { completeRpm, planRpm, rpmKeys, rpmParams } from './lib/rpm-plan.ts';

export const dnfModule = defineModule({
  name: 'dnf',
  aliases: ['yum'],
  doc: {
    summary: 'Installs, upgrades and removes RPM packages',
    notes: [
      'With dnf, or yum where there is no dnf. What is installed is asked of rpm, so that nothing runs where nothing is due.',
    ],
    examples: '- dnf: {name: [socat, conntrack-tools], state: present}\n',
    returns: { results: 'what dnf printed', rc: 'exit code', msg: 'what was wrong' },
  },
  params: rpmParams,
  facts: (given) => rpmKeys(given),
  plan: (given, world, ctx) => planRpm(given, world, ctx),
  complete: (_given, predicted, outcomes) => completeRpm(predicted, outcomes),
});
