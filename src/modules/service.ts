import { unitKey } from '../world/unit.ts';
import { defineModule } from './define.ts';
import { completeUnit, planUnit } from './lib/unit-change.ts';

type State = 'reloaded' | 'restarted' | 'started' | 'stopped';

export const serviceModule = defineModule({
  name: 'service',
  doc: {
    summary: 'Starts, stops and enables services',
    notes: [
      'On hosts run by systemd, which are the ones kpush manages: what systemd does for `name`, `state` and `enabled`.',
    ],
    examples: '- service: {name: containerd, state: restarted}\n',
    returns: { name: 'the service as given', state: 'as asked', enabled: 'as asked' },
  },
  params: {
    name: { type: 'str', doc: 'The service', required: true },
    state: { type: 'str', doc: 'What it shall be', choices: ['reloaded', 'restarted', 'started', 'stopped'] },
    enabled: { type: 'bool', doc: 'Whether it starts at boot' },
    use: { type: 'str', doc: 'Service manager; only systemd is known', choices: ['auto', 'systemd'], default: 'auto' },
    sleep: { type: 'int', doc: 'Accepted; systemd needs no pause in a restart' },
    pattern: { type: 'str', doc: 'Accepted; systemd knows its processes' },
    runlevel: { type: 'str', doc: 'Accepted; systemd has targets' },
    arguments: { type: 'str', doc: 'Accepted; systemd takes none', aliases: ['args'] },
  },
  rules: { oneOf: [['state', 'enabled']] },
  facts: (params) => [unitKey(params.name)],
  plan: (params, world, ctx) =>
    planUnit(
      { name: params.name, scope: 'system', state: params.state as State | undefined, enabled: params.enabled },
      world,
      ctx,
    ),
  complete: (params, predicted, outcomes) => completeUnit(params.name, predicted, outcomes),
});
