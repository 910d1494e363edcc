import { evidenceKey } from '../world/evidence.ts';
import { type TcpFact, tcp, tcpKey } from '../world/tcp.ts';
import { defineGate } from './define.ts';

export const tcpGate = defineGate({
  name: 'tcp',
  doc: {
    summary: 'A port takes connections',
    notes: ['Tried from the host that asks, with curl, or under `timeout` with bash, nc or perl.'],
    examples: '- tcp: {host: 10.0.0.10, port: 2379}\n',
  },
  params: {
    host: { type: 'str', operand: true, doc: 'Name or address', default: '127.0.0.1' },
    port: { type: 'int', doc: 'The port', required: true },
    unit: { type: 'str', doc: 'Unit whose status and journal are shown when the gate fails' },
  },
  interval: 2,
  timeout: 5,
  deadline: 120,
  facts: ({ host, port }, ctx) => [tcpKey({ host, port, timeout: seconds(ctx.timeout) })],
  judge({ host, port }, world, ctx) {
    const { state } = tcp(world, { host, port, timeout: seconds(ctx.timeout) });
    if (state === 'open') return { verdict: 'pass', detail: 'open' };
    if (state === 'none') return { verdict: 'fail', reason: `${ctx.from} has nothing to connect with: install curl` };
    return { verdict: 'wait', reason: `${host}:${port} ${words[state]}` };
  },
  evidence: (params) => (params.unit === undefined ? [] : [evidenceKey(params.unit)]),
});

const words: Record<Exclude<TcpFact['state'], 'open' | 'none'>, string> = {
  closed: 'refuses connections',
  silent: 'does not answer',
  unresolved: 'cannot be resolved',
};

/** A little less than the poll may take, so that silence is told by the host itself. */
function seconds(timeout: number): number {
  return Math.max(1, Math.floor(timeout) - 1);
}
