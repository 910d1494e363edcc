import { evidenceKey } from '../world/evidence.ts';
import { probeKey } from '../world/probe.ts';
import { defineGate } from './define.ts';
import { judgeLook, look } from './kube-wait.ts';

export const nodeOnlineGate = defineGate({
  name: 'node_online',
  doc: {
    summary: 'A node can carry pods',
    notes: [
      'What that means depends on runtime and network. ready: the kubelet is healthy and the node Ready. flannel-docker: docker was started with the addresses that flannel wrote. registered: the node has a pod CIDR, for networks that are installed later.',
    ],
    examples: '- node_online: {strategy: ready, kubeconfig: /etc/kubernetes/kubelet.conf, node: worker1}\n',
  },
  params: {
    strategy: {
      type: 'str',
      doc: 'How it is seen',
      choices: ['ready', 'flannel-docker', 'registered'],
      default: 'ready',
    },
    node: { type: 'str', operand: true, doc: 'Its name in the cluster', required: true },
    kubeconfig: { type: 'path', doc: 'With what to ask', required: true },
    bin_dir: { type: 'path', doc: 'Where kube-wait and kubectl are', default: '/usr/local/bin' },
    unit: { type: 'str', doc: 'Unit that is shown when it fails', default: 'kubelet.service' },
  },
  interval: 1,
  timeout: 20,
  deadline: 600,
  facts: (params, ctx) => [probeKey(query(params, ctx.timeout))],
  judge: (params, world, ctx) => judgeLook(world, query(params, ctx.timeout)),
  evidence: (params) => [evidenceKey(params.unit)],
});

function query(params: { strategy: string; node: string; kubeconfig: string; bin_dir: string }, timeout: number) {
  const words = ['node', params.strategy, params.node, params.kubeconfig];
  return look(params.bin_dir, words, Math.floor(timeout) - 1);
}
