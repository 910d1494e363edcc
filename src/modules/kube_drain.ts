import type { ParamSpecs, Params } from '../core/params.ts';
import { result, TaskFailure } from '../core/result.ts';
import type { Diff, Step } from '../core/steps.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { type KubePod, kubePods, kubePodsKey } from '../world/kube-pods.ts';
import { defineModule } from './define.ts';
import { nameOf, sortPods } from './lib/drain-pods.ts';
import { type Drain, drainScript, drainSeconds, type Rung } from './lib/drain-script.ts';

/** What kubectl drain is asked with; kube_evictable judges by the same. */
export const policyParams = {
  ignore_daemonsets: { type: 'bool', doc: 'Pods of DaemonSets stay, instead of standing in the way', default: true },
  delete_emptydir_data: { type: 'bool', doc: 'Pods with data in an emptyDir may go', default: false },
  force: { type: 'bool', doc: 'Pods that nothing makes again elsewhere may go', default: false },
  ladder: {
    type: 'list',
    elements: 'str',
    doc: 'What is tried, in this order: evict, delete (past budgets), skip (leave what is left)',
    default: ['evict'],
  },
} as const satisfies ParamSpecs;

const params = {
  node: { type: 'str', operand: true, doc: 'Its name in the cluster, matched exactly', required: true },
  ...policyParams,
  evict_seconds: { type: 'int', doc: 'How long evicting may take, with the end of the pods', default: 600 },
  delete_seconds: { type: 'int', doc: 'How long deleting may take', default: 120 },
  ...apiParams,
} as const satisfies ParamSpecs;

type DrainParams = Params<typeof params>;

export const kubeDrainModule = defineModule({
  name: 'kube_drain',
  doc: {
    summary: 'A node carries no pods but those that belong to it',
    notes: [
      'Pods are evicted through the API, so that PodDisruptionBudgets are kept; a pod that one protects is asked for again, with a second and more between.',
      'Nothing is evicted before the controller manager has seen that the node is cordoned: without one nothing would take the place of the pods, and they would stay in their services.',
      "The kubelet's own certificate may do this for its own node. Cordon the node first.",
    ],
    examples: `- kube_drain:
    node: worker1
    ladder: [evict, delete]
    api: {server: https://10.0.0.10:6443, ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/kubelet.pem, key: /etc/kubernetes/pki/kubelet-key.pem}
`,
    returns: { pods: 'those that went, as NAMESPACE/NAME' },
  },
  params,
  facts: ({ node, api }) => [kubePodsKey({ node, api: apiOf(api) })],
  plan(given, world) {
    const { node, evict_seconds: evict, delete_seconds: remove } = given;
    const api = apiOf(given.api);
    const { go, stay } = sortPods(kubePods(world, { node, api }), given);
    const drain = { node, api, pods: go, ladder: rungs(given.ladder), notice: 60, evict, delete: remove };
    const steps = go.length === 0 ? [] : [drainStep(drain, stay)];
    return { steps, result: result(go.length > 0, { node, pods: go.map(nameOf) }) };
  },
});

export function rungs(ladder: DrainParams['ladder']): Rung[] {
  const known: readonly string[] = ['evict', 'delete', 'skip'];
  const bad = ladder.find((rung) => !known.includes(rung));
  if (bad !== undefined || ladder.length === 0)
    throw new TaskFailure(`a ladder is made of evict, delete and skip${bad === undefined ? '' : `, not of ${bad}`}`);
  return [...ladder] as Rung[];
}

/** With skip as its last rung it is not known what will be left. */
function drainStep(drain: Drain, stay: KubePod[]): Step {
  const { family, id } = kubePodsKey(drain);
  const why = `${drain.node} is drained as far as it goes`;
  const skips = drain.ladder.includes('skip');
  return {
    title: `drain ${drain.node}: ${drain.pods.length} ${drain.pods.length === 1 ? 'pod' : 'pods'}`,
    run: { kind: 'sh', script: drainScript(drain) },
    effects: [
      skips ? { type: 'fact.unknown', family, id, why } : { type: 'fact.set', family, id, value: { told: stay } },
    ],
    diff: [diffOf(drain)],
    ...(skips ? {} : { proof: [{ family, id }] }),
    timeout: drainSeconds(drain),
  };
}

function diffOf({ node, pods, ladder }: Drain): Diff {
  const fields = pods.map((pod) => ({
    name: `pod ${nameOf(pod)}`,
    before: `on ${node}`,
    after: `${ladder.join(', else ')}; it has ${pod.grace} s to end`,
  }));
  return { kind: 'fields', subject: `node ${node}`, fields };
}
