import { TaskFailure } from '../../core/result.ts';
import type { KubePod } from '../../world/kube-pods.ts';

/** What may be done to pods, each as kubectl's flag of that name. */
export interface DrainPolicy {
  ignore_daemonsets: boolean;
  delete_emptydir_data: boolean;
  force: boolean;
}

/** Pods that go, and those that stay with the reason. */
export interface DrainPods {
  go: KubePod[];
  stay: KubePod[];
}

/**
 * Sorts the pods of a node as kubectl drain does: mirror pods stay, for the kubelet makes them again at once; so do
 * those of DaemonSets, which ignore a cordon. Throws TaskFailure, naming every pod, where a policy does not allow it.
 */
export function sortPods(pods: readonly KubePod[], policy: DrainPolicy): DrainPods {
  const stays = (pod: KubePod) => pod.mirror || (pod.controller === 'DaemonSet' && !pod.finished);
  const refused = pods.flatMap((pod) => refusal(pod, policy).map((why) => `${nameOf(pod)} ${why}`));
  if (refused.length > 0) throw new TaskFailure(`pods stand in the way: ${refused.join('; ')}`, { refused });
  return { go: pods.filter((pod) => !stays(pod)), stay: pods.filter(stays) };
}

export function nameOf({ namespace, name }: KubePod): string {
  return `${namespace}/${name}`;
}

/** What is finished or on its way out goes in any case. */
function refusal(pod: KubePod, policy: DrainPolicy): string[] {
  if (pod.mirror || pod.finished || pod.leaving) return [];
  if (pod.controller === 'DaemonSet')
    return policy.ignore_daemonsets ? [] : ['is of a DaemonSet (ignore_daemonsets lets it stay)'];
  return [
    ...(pod.localData && !policy.delete_emptydir_data
      ? ['has local data in an emptyDir (delete_emptydir_data lets it go)']
      : []),
    ...(pod.controller === '' && !policy.force ? ['would not be made again elsewhere (force lets it go)'] : []),
  ];
}
