import { result } from '../core/result.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { kubeNode, kubeNodeKey } from '../world/kube-node.ts';
import { defineModule } from './define.ts';
import { patchStep } from './kube_cordon.ts';

export const kubeUncordonModule = defineModule({
  name: 'kube_uncordon',
  doc: {
    summary: 'A node that kpush cordoned takes new pods again',
    notes: ['A node that was cordoned by somebody else stays so, unless `force` says otherwise.'],
    examples: `- kube_uncordon:
    node: worker1
    api: {server: https://10.0.0.10:6443, ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/kubelet.pem, key: /etc/kubernetes/pki/kubelet-key.pem}
`,
    returns: { kept: 'whether it stays cordoned, for somebody else cordoned it' },
  },
  params: {
    node: { type: 'str', operand: true, doc: 'Its name in the cluster, matched exactly', required: true },
    force: { type: 'bool', doc: 'Whoever cordoned it', default: false },
    ...apiParams,
  },
  facts: ({ node, api }) => [kubeNodeKey({ node, api: apiOf(api) })],
  plan({ node, force, ...given }, world) {
    const api = apiOf(given.api);
    const { cordoned, mark } = kubeNode(world, { node, api });
    const ours = cordoned && (mark !== '' || force);
    const steps = ours ? [patchStep(api, node, { cordoned: false, mark: '' })] : [];
    const notes = cordoned && !ours ? [`${node} was cordoned before, not by kpush: it stays so`] : [];
    return { steps, notes, result: result(ours, { node, kept: cordoned && !ours }) };
  },
});
