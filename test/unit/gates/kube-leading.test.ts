import * as assert from 'uvu/assert';
import type { Verdict } from '../../../src/core/gate.ts';
import { kubeLeadingGate } from '../../../src/gates/kube_leading.ts';
import { kubeLeaseFamily } from '../../../src/world/kube-lease.ts';
import { suite } from '../../support/harness.ts';

const leading = suite('gate kube_leading');
const api = { server: 'https://a', ca: '/ca', certificate: '/c', key: '/k' };
const at = (seconds: number) => new Date((1_000_000 + seconds) * 1000).toISOString().replace('Z', '000Z');
const own = (started: number | '-', now = 30) =>
  `h1 ${1_000_000 + now} ${started === '-' ? started : 1_000_000 + started}`;

const cases: [name: string, record: string, verdict: Verdict['verdict'], words: RegExp][] = [
  ['held here since its start', `${own(0)}\nh1_x-y ${at(18)} ${at(29)}\n0`, 'pass', /^h1 leads$/],
  ['held here, but of before the restart', `${own(20)}\nh1_x-y ${at(1)} ${at(29)}\n0`, 'wait', /before its restart/],
  ['held here by one that is gone', `${own(20)}\nh1_x-y ${at(1)} ${at(15)}\n0`, 'wait', /not renewed .* 15 s/],
  ['held elsewhere', `${own(20)}\nh_2_x-y ${at(-900)} ${at(29)}\n0`, 'pass', /^h_2 leads$/],
  ['held elsewhere, long ago', `${own(20)}\nh2_x-y ${at(-900)} ${at(0)}\n0`, 'wait', /not renewed .* 30 s/],
  ['systemd does not say', `${own('-')}\nh1_x-y ${at(1)} ${at(29)}\n0`, 'pass', /leads/],
  ['held by nobody', `${own(20)}\n<no value> <no value> <no value>\n0`, 'wait', /nobody leads as kcm/],
  ['no answer', 'Error from server (NotFound): leases "kcm" not found\n1', 'wait', /NotFound/],
];

for (const [name, record, verdict, words] of cases)
  leading(name, () => {
    const answer = kubeLeaseFamily.parse(record, { family: 'kube-lease', id: '' });
    const context = { host: 'h1', from: 'h1', elapsed: 0, timeout: 30 };
    const found = kubeLeadingGate.judge({ component: 'kcm', api }, { read: () => answer }, context);
    assert.is(found.verdict, verdict);
    assert.match('reason' in found ? found.reason : (found.detail ?? ''), words);
  });

leading.run();
