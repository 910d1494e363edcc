import { result } from '../core/result.ts';
import type { Value } from '../jinja/values.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { kubeNodes, kubeNodesKey } from '../world/kube-nodes.ts';
import { defineModule } from './define.ts';

export const kubeNodesModule = defineModule({
  name: 'kube_nodes',
  doc: {
    summary: 'Which nodes a cluster has',
    notes: ['Changes nothing. Fails when the apiserver does not tell.'],
    examples: `- kube_nodes:
    api: {server: https://10.0.0.10:6443, ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/admin.pem, key: /etc/kubernetes/pki/admin-key.pem}
  register: cluster
`,
    returns: { nodes: 'their names', ready: 'those that are Ready' },
  },
  params: { ...apiParams },
  facts: ({ api }) => [kubeNodesKey(apiOf(api))],
  plan({ api }, world) {
    const nodes = kubeNodes(world, apiOf(api));
    const names = (some: typeof nodes): Value[] => some.map(({ name }) => name);
    return {
      steps: [],
      result: result(false, { nodes: names(nodes), ready: names(nodes.filter(({ ready }) => ready)) }),
    };
  },
});
