import type { ParamSpecs } from '../core/params.ts';
import { result } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { type KubeApi, kubectl } from '../world/kube-api.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { kubeNodes, kubeNodesKey, type ListedNode } from '../world/kube-nodes.ts';
import { defineModule } from './define.ts';

const params = {
  node: { type: 'str', operand: true, doc: 'Its name in the cluster, matched exactly', required: true },
  state: { type: 'str', doc: 'absent: the cluster forgets it', choices: ['absent'], default: 'absent' },
  ...apiParams,
} as const satisfies ParamSpecs;

export const kubeNodeModule = defineModule({
  name: 'kube_node',
  doc: {
    summary: 'A cluster no longer knows a node',
    notes: [
      'The Node object goes, and with it what is left of pods that were bound to it. Drain the node first. A kubelet that still runs does not register it again before its next start.',
      "A kubelet's certificate may not do this: it takes an administrator's.",
    ],
    examples: `- kube_node:
    node: worker1
    state: absent
    api: {server: https://10.0.0.10:6443, ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/admin.pem, key: /etc/kubernetes/pki/admin-key.pem}
  delegate_to: control1
`,
    returns: { node: 'its name' },
  },
  params,
  facts: ({ api }) => [kubeNodesKey(apiOf(api))],
  plan({ node, ...given }, world) {
    const api = apiOf(given.api);
    const nodes = kubeNodes(world, api);
    const isThere = nodes.some(({ name }) => name === node);
    return { steps: isThere ? [deleteStep(api, node, nodes)] : [], result: result(isThere, { node }) };
  },
});

function deleteStep(api: KubeApi, node: string, nodes: ListedNode[]): Step {
  const { family, id } = kubeNodesKey(api);
  const left = nodes.filter(({ name }) => name !== node);
  return {
    title: `remove node ${node} from the cluster`,
    run: {
      kind: 'sh',
      script: kubectl(api, ['delete', 'node', node, '--ignore-not-found', '--wait=true', '--timeout=60s']),
    },
    effects: [{ type: 'fact.set', family, id, value: { told: left } }],
    diff: [{ kind: 'fields', subject: 'nodes of the cluster', fields: [{ name: node, before: 'known', after: null }] }],
    proof: [],
    timeout: 120,
  };
}
