import { TaskFailure } from '../core/result.ts';
import { commandParams, stdinOf } from './command.ts';
import { defineModule } from './define.ts';
import { completeCommand, notBegun, notEntered, planCommand, shortCommand } from './lib/run-command.ts';
import { runWhenKeys } from './lib/run-when.ts';

export const shellModule = defineModule({
  name: 'shell',
  doc: {
    summary: 'Runs a line or script of shell',
    notes: ['By /bin/sh, or by `executable`. When it must run and what it may change: see command.'],
    examples: '- shell: kubectl get nodes | grep -q Ready\n  args: {executable: /bin/bash}\n  changed_when: false\n',
    returns: { cmd: 'the text', rc: 'exit code', stdout: 'what it printed', delta: 'how long it took' },
  },
  params: {
    ...commandParams,
    cmd: { type: 'str', doc: 'The text that the shell runs' },
    executable: { type: 'path', doc: 'Full path of another shell' },
  },
  freeForm: 'cmd',
  opaque: true,
  facts: (params, ctx) => runWhenKeys(params, ctx),
  plan(params, world, ctx) {
    const script = params.cmd ?? '';
    if (script.trim() === '') throw new TaskFailure('no command given', notBegun);
    const executable = params.executable === undefined ? {} : { executable: params.executable };
    const run = { kind: 'sh' as const, script, ...executable, ...stdinOf(params) };
    return planCommand({ cmd: script, title: shortCommand(script), run, when: params }, world, ctx);
  },
  complete: (params, predicted, outcomes) =>
    notEntered(params.chdir, predicted, outcomes[0]) ?? completeCommand(predicted, outcomes, params.strip_empty_ends),
});
