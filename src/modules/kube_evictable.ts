import { result, TaskFailure } from '../core/result.ts';
import { apiOf, apiParams } from '../world/kube-api-params.ts';
import { kubeEvictions, kubeEvictionsKey, type TriedEviction } from '../world/kube-evictions.ts';
import { type KubePod, kubePods, kubePodsKey } from '../world/kube-pods.ts';
import { defineModule } from './define.ts';
import { policyParams, rungs } from './kube_drain.ts';
import { sortPods } from './lib/drain-pods.ts';

export const kubeEvictableModule = defineModule({
  name: 'kube_evictable',
  doc: {
    summary: 'Nothing would keep a node from being drained',
    notes: [
      'The eviction of each of its pods is tried on the apiserver without doing it (server-side dry run), so that a PodDisruptionBudget that forbids one is named before anything is changed.',
      'Fails where a budget forbids an eviction and the ladder has nothing but evict; and where kube_drain would refuse a pod.',
    ],
    examples: `- kube_evictable:
    node: worker1
    api: {server: https://10.0.0.10:6443, ca: /etc/kubernetes/pki/ca.pem, certificate: /etc/kubernetes/pki/kubelet.pem, key: /etc/kubernetes/pki/kubelet-key.pem}
`,
    returns: { blocked: 'pods that may not go now, each with the reason' },
  },
  params: {
    node: { type: 'str', operand: true, doc: 'Its name in the cluster, matched exactly', required: true },
    ...policyParams,
    ...apiParams,
  },
  facts: ({ node, api }) => [kubePodsKey, kubeEvictionsKey].map((key) => key({ node, api: apiOf(api) })),
  plan(given, world) {
    const query = { node: given.node, api: apiOf(given.api) };
    const { go } = sortPods(kubePods(world, query), given);
    const blocked = kubeEvictions(world, query).filter(isBlocked).map(wordsOf);
    const evictOnly = !rungs(given.ladder).some((rung) => rung !== 'evict');
    if (blocked.length > 0 && evictOnly) throw refused(given.node, blocked);
    const goes = `${go.length} ${go.length === 1 ? 'pod has' : 'pods have'} to go`;
    const notes = [
      `${goes}, ${blocked.length === 0 ? 'and may' : `${blocked.length} of them past a budget`}`,
      ...blocked,
      `estimated disruption: ${disruption(go)}`,
    ];
    return { steps: [], notes, result: result(false, { node: given.node, blocked }) };
  },
});

/** Between all pods ending side by side and one after another, as budgets have it: a plan cannot tell which. */
function disruption(pods: readonly KubePod[]): string {
  const graces = pods.filter(({ finished }) => !finished).map(({ grace }) => grace);
  const [most, all] = [Math.max(0, ...graces), graces.reduce((sum, grace) => sum + grace, 0)];
  if (graces.length === 0) return 'no pod ends; the node takes no new ones until its gates have passed';
  const seconds = most === all ? `${all} s` : `${most} s, or ${all} s where a budget has them end one after another`;
  const what = graces.length === 1 ? 'a pod ends and is made anew' : `${graces.length} pods end and are made anew`;
  return `${what} elsewhere, in up to ${seconds}; the node takes no new ones until its gates have passed`;
}

/** 404: it is gone meanwhile. */
function isBlocked({ status }: TriedEviction): boolean {
  return status !== 404 && (status < 200 || status > 299);
}

function wordsOf({ pod, status, message }: TriedEviction): string {
  return `pod ${pod}: ${message || `HTTP status ${status}`}`;
}

function refused(node: string, blocked: string[]): TaskFailure {
  const hint = 'let the budget allow one more disruption, or let the ladder of kube_drain go on with delete';
  return new TaskFailure(`${node} cannot be drained now: ${blocked.join('; ')}`, { node, blocked }, hint);
}
