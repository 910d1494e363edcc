import { evidenceKey } from '../world/evidence.ts';
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
    server: https://10.0.0.10:6443
    ca: /etc/kubernetes/pki/ca.pem
    certificate: /etc/kubernetes/pki/kubelet.pem
    key: /etc/kubernetes/pki/kubelet-key.pem
`,
  },
  params: {
    node: { type: 'str', doc: 'Its name in the cluster', required: true },
    version: { type: 'version', doc: 'The release of its kubelet', required: true },
    server: { type: 'str', doc: 'URL of the apiserver', required: true },
    ca: { type: 'path', doc: 'File of the CA, on the host that asks', required: true },
    certificate: { type: 'path', doc: 'Client certificate to show', required: true },
    key: { type: 'path', doc: 'Its key', required: true },
    bin_dir: { type: 'path', doc: 'Where kubectl is', default: '/usr/local/bin' },
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'kubelet.service' },
  },
  interval: 1,
  timeout: 45,
  deadline: 600,
  facts: ({ node, ...api }) => [kubeSettledKey({ node, api })],
  judge({ node, version, ...api }, world) {
    const answer = kubeSettled(world, { node, api });
    if ('problem' in answer) return { verdict: 'wait', reason: answer.problem };
    const { sameBoot, notReady, kubelet, unsettled } = answer.told;
    if (!sameBoot) return { verdict: 'wait', reason: 'the kubelet has not reported since this boot' };
    if (kubelet !== version) return { verdict: 'wait', reason: `its kubelet is ${kubelet}, not ${version}` };
    if (notReady) return { verdict: 'wait', reason: `node ${node} is not Ready: ${notReady}` };
    return unsettled.length > 0 ? { verdict: 'wait', reason: unsettled.slice(0, 3).join(', ') } : { verdict: 'pass' };
  },
  evidence: ({ unit }) => [evidenceKey(unit)],
});
