import { TaskFailure } from '../core/result.ts';
import { defineModule } from './define.ts';
import { completeCommand, planCommand, shortCommand } from './lib/run-command.ts';

export const rawModule = defineModule({
  name: 'raw',
  doc: {
    summary: 'Runs a line of shell as it is',
    notes: ['kpush needs nothing on hosts that shell would not need too: raw is here for playbooks that use it.'],
    examples: '- raw: test -e /usr/bin/python3 || apt-get install -y python3-minimal\n',
    returns: { rc: 'exit code', stdout: 'what it printed' },
  },
  params: {
    cmd: { type: 'str', doc: 'The text that the shell runs' },
    executable: { type: 'path', doc: 'Full path of another shell' },
  },
  freeForm: 'cmd',
  opaque: true,
  facts: () => [],
  plan(params, world, ctx) {
    const script = params.cmd ?? '';
    if (script.trim() === '') throw new TaskFailure('no command given', { rc: 256 });
    const executable = params.executable === undefined ? {} : { executable: params.executable };
    const run = { kind: 'sh' as const, script, ...executable };
    return planCommand({ cmd: script, title: shortCommand(script), run, when: {} }, world, ctx);
  },
  complete(_params, predicted, outcomes) {
    const real = completeCommand(predicted, outcomes, false);
    const fields = ['rc', 'stdout', 'stderr', 'stdout_lines', 'stderr_lines', ...(real.failed ? ['msg'] : [])];
    return { ...real, values: new Map([...real.values].filter(([name]) => fields.includes(name))) };
  },
});
