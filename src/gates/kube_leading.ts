import type { Verdict } from '../core/gate.ts';
import { evidenceKey } from '../world/evidence.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { type KubeLease, kubeLease, kubeLeaseKey } from '../world/kube-lease.ts';
import { defineGate } from './define.ts';

/** A leader renews its lease every 2 seconds, and loses it after 15. */
const fresh = 10_000;

export const kubeLeadingGate = defineGate({
  name: 'kube_leading',
  doc: {
    summary: 'A controller manager or scheduler leads',
    notes: [
      'One that was restarted leads only when the lease of the one before is over. Until then nothing takes the endpoints of a pod that goes out of its services, and nothing makes another one: no node may be drained.',
      'Where the lease is held on this machine it must have been taken after the unit was started; elsewhere it must be fresh.',
    ],
    examples: `- kube_leading:
    component: kube-controller-manager
    api: {server: "https://127.0.0.1:6443", ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/admin.pem, key: /etc/kubernetes/pki/admin-key.pem}
`,
  },
  params: {
    component: { type: 'str', operand: true, doc: 'Its lease in kube-system, and its unit', required: true },
    ...apiParams,
  },
  interval: 1,
  timeout: 30,
  deadline: 120,
  facts: ({ component, api }) => [kubeLeaseKey({ component, api: apiOf(api) })],
  judge({ component, api }, world) {
    const answer = kubeLease(world, { component, api: apiOf(api) });
    return 'problem' in answer ? { verdict: 'wait', reason: answer.problem } : judgeLease(component, answer.told);
  },
  evidence: ({ component }) => [evidenceKey(component)],
});

function judgeLease(component: string, lease: KubeLease): Verdict {
  const { here, holder, now, started, acquired, renewed } = lease;
  if (holder === '') return { verdict: 'wait', reason: `nobody leads as ${component}` };
  if (now - renewed > fresh)
    return {
      verdict: 'wait',
      reason: `${holder} has not renewed its lease for ${Math.round((now - renewed) / 1000)} s`,
    };
  if (holder === here && started !== undefined && acquired < started)
    return { verdict: 'wait', reason: `the lease of ${component} is of before its restart` };
  return { verdict: 'pass', detail: `${holder} leads` };
}
