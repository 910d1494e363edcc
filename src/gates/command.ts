import { evidenceKey } from '../world/evidence.ts';
import { type Probe, probe, probeKey } from '../world/probe.ts';
import { defineGate } from './define.ts';

export const commandGate = defineGate({
  name: 'command',
  doc: {
    summary: 'A command succeeds',
    notes: [
      'It must change nothing: it is run again and again. A command that is not there or may not be run is at an end at once.',
    ],
    examples: '- command: {cmd: kubectl get node $(hostname) | grep -qw Ready}\n',
  },
  params: {
    cmd: { type: 'str', doc: 'Text that sh runs', required: true },
    chdir: { type: 'path', doc: 'Directory to run it in' },
    rc: { type: 'list', elements: 'int', doc: 'Exit codes that pass', default: [0] },
    stdout_contains: { type: 'str', doc: 'Text that it must print' },
    unit: { type: 'str', doc: 'Unit whose status and journal are shown when the gate fails' },
  },
  interval: 3,
  timeout: 20,
  deadline: 300,
  facts: (params, ctx) => [probeKey(queryOf(params, ctx.timeout))],
  judge(params, world, ctx) {
    const { rc, stdout } = probe(world, queryOf(params, ctx.timeout));
    if (params.rc.includes(rc)) {
      if (params.stdout_contains === undefined || stdout.includes(params.stdout_contains)) return { verdict: 'pass' };
      return { verdict: 'wait', reason: `it prints no "${params.stdout_contains}"` };
    }
    if (rc === 127) return { verdict: 'fail', reason: 'exit code 127: a command in it is not there' };
    if (rc === 126) return { verdict: 'fail', reason: 'exit code 126: a command in it may not be run' };
    return { verdict: 'wait', reason: rc === 124 ? 'it takes too long' : `exit code ${rc}${lastLine(stdout)}` };
  },
  evidence: (params) => (params.unit === undefined ? [] : [evidenceKey(params.unit)]),
});

function queryOf(params: { cmd: string; chdir?: string | undefined }, timeout: number): Probe {
  const cwd = params.chdir === undefined ? {} : { cwd: params.chdir };
  return { command: params.cmd, ...cwd, timeout: Math.max(1, Math.floor(timeout) - 1) };
}

function lastLine(stdout: string): string {
  const line = stdout.trim().split('\n').at(-1);
  return line ? `: ${line.slice(0, 80)}` : '';
}
