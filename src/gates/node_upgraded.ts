import { evidenceKey } from '../world/evidence.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { kubeSettled, kubeSettledKey } from '../world/kube-settled.ts';
import { defineGate } from './define.ts';

export const nodeUpgradedGate = defineGate({
  name: 'node_upgraded',
  doc: {
    summary: 'A node is Ready at a release, and its DaemonSet pods have settled',
    notes: ['What the apiserver knows counts only once the kubelet has reported in this boot of the machine.'],
    examples: `- node_upgraded:
    node: worker1
    version: v1.20.5
    api: {server: https://10.0.0.10:6443, ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/kubelet.pem, key: /etc/kubernetes/pki/kubelet-key.pem}
`,
  },
  params: {
    node: { type: 'str', operand: true, doc: 'Its name in the cluster', required: true },
    version: { type: 'version', doc: 'The release of its kubelet', required: true },
    ...apiParams,
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'kubelet.service' },
  },
  interval: 1,
  timeout: 45,
  deadline: 600,
  facts: ({ node, api }) => [kubeSettledKey({ node, api: apiOf(api) })],
  judge({ node, version, api }, world) {
    const answer = kubeSettled(world, { node, api: apiOf(api) });
    if ('problem' in answer) return { verdict: 'wait', reason: answer.problem };
    const { sameBoot, notReady, kubelet, unsettled } = answer.told;
    if (!sameBoot) return { verdict: 'wait', reason: 'the kubelet has not reported since this boot' };
    if (kubelet !== version) return { verdict: 'wait', reason: `its kubelet is ${kubelet}, not ${version}` };
    if (notReady) return { verdict: 'wait', reason: `node ${node} is not Ready: ${notReady}` };
    return unsettled.length > 0 ? { verdict: 'wait', reason: unsettled.slice(0, 3).join(', ') } : { verdict: 'pass' };
  },
  evidence: ({ unit }) => [evidenceKey(unit)],
});
