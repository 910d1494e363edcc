import { evidenceKey } from '../world/evidence.ts';
import { probeKey } from '../world/probe.ts';
import { defineGate } from './define.ts';
import { judgeLook, look } from './kube-wait.ts';

export const nodeRegisteredGate = defineGate({
  name: 'node_registered',
  doc: {
    summary: 'A node is known to the apiserver and has a pod CIDR',
    notes: ['Asks for this very node: that another has its addresses already says nothing.'],
    examples: '- node_registered: {kubeconfig: /etc/kubernetes/kubelet.conf, node: "{{ inventory_hostname }}"}\n',
  },
  params: {
    node: { type: 'str', operand: true, doc: 'Its name in the cluster', required: true },
    kubeconfig: { type: 'path', doc: 'With what to ask', required: true },
    bin_dir: { type: 'path', doc: 'Where kube-wait and kubectl are', default: '/usr/local/bin' },
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'kubelet.service' },
  },
  interval: 1,
  timeout: 20,
  deadline: 300,
  facts: (params, ctx) => [probeKey(query(params, ctx.timeout))],
  judge: (params, world, ctx) => judgeLook(world, query(params, ctx.timeout)),
  evidence: (params) => [evidenceKey(params.unit)],
});

function query(params: { node: string; kubeconfig: string; bin_dir: string }, timeout: number) {
  return look(params.bin_dir, ['pod-cidr', params.node, params.kubeconfig], Math.floor(timeout) - 1);
}
