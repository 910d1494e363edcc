import { result } from '../core/result.ts';
import type { Step } from '../core/steps.ts';
import { type KubeApi, kubectl } from '../world/kube-api.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { cordonMark, type KubeNode, kubeNode, kubeNodeKey } from '../world/kube-node.ts';
import { defineModule } from './define.ts';

export const kubeCordonModule = defineModule({
  name: 'kube_cordon',
  doc: {
    summary: 'A node takes no new pods',
    notes: [
      'A node that kpush cordons is marked with an annotation, kpush/cordoned, so that kube_uncordon takes back just that: a node that was cordoned by hand stays so.',
      "The kubelet's own certificate may do this for its own node.",
    ],
    examples: `- kube_cordon:
    node: worker1
    api: {server: https://10.0.0.10:6443, ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/kubelet.pem, key: /etc/kubernetes/pki/kubelet-key.pem}
`,
  },
  params: {
    node: { type: 'str', operand: true, doc: 'Its name in the cluster, matched exactly', required: true },
    ...apiParams,
  },
  facts: ({ node, api }) => [kubeNodeKey({ node, api: apiOf(api) })],
  plan({ node, ...given }, world, { runId }) {
    const api = apiOf(given.api);
    if (kubeNode(world, { node, api }).cordoned) return { steps: [], result: result(false, { node }) };
    return { steps: [patchStep(api, node, { cordoned: true, mark: runId })], result: result(true, { node }) };
  },
});

/** Cordoned with its mark, or neither. One request, so that there is nothing between the two. */
export function patchStep(api: KubeApi, node: string, after: KubeNode): Step {
  const { cordoned, mark } = after;
  const patch = {
    metadata: { annotations: { [cordonMark]: mark || null } },
    spec: { unschedulable: cordoned || null },
  };
  const { family, id } = kubeNodeKey({ node, api });
  const field = { name: 'new pods', before: cordoned ? 'taken' : 'refused', after: cordoned ? 'refused' : 'taken' };
  return {
    title: `${cordoned ? 'cordon' : 'uncordon'} ${node}`,
    run: { kind: 'sh', script: kubectl(api, ['patch', 'node', node, '-p', JSON.stringify(patch)]) },
    effects: [{ type: 'fact.set', family, id, value: { told: after } }],
    diff: [{ kind: 'fields', subject: `node ${node}`, fields: [field] }],
    proof: [{ family, id }],
    timeout: 60,
  };
}
