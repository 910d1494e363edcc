import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { type KubeApi, kubectl, kubeLibrary, type Told, told, toldText } from './kube-api.ts';
import type { NodeQuery } from './kube-node.ts';

/** A pod of a node, as far as draining needs to know it. */
export interface KubePod {
  namespace: string;
  name: string;
  uid: string;
  /** Succeeded or Failed: nothing of it runs any more. */
  finished: boolean;
  /** It is being deleted already. */
  leaving: boolean;
  /** Of the kubelet's own, from a file on its machine. */
  mirror: boolean;
  /** Kind of what makes it anew elsewhere; empty: nothing does. */
  controller: string;
  /** It has data in an emptyDir, which goes with it. */
  localData: boolean;
  /** Seconds it is given to end. */
  grace: number;
}

export function kubePods(world: WorldView, query: NodeQuery): KubePod[] {
  return told<KubePod[]>(world, 'kube-pods', kubePodsKey(query).id);
}

export function kubePodsKey({ api, node }: NodeQuery): FactKey {
  return { family: 'kube-pods', id: JSON.stringify({ api, node }) };
}

/**
 * A pod in one line; a list of nothing but what is needed stays small where the pods' own JSON would be megabytes. An
 * emptyDir of `{}` is false for Go's templates, so its key is looked for.
 */
const template = `{{range .items}}{{.metadata.namespace}} {{.metadata.name}} {{.metadata.uid}} {{with .status.phase}}{{.}}{{else}}-{{end}} \
{{if .metadata.deletionTimestamp}}leaving{{else}}-{{end}} \
{{with .metadata.annotations}}{{if index . "kubernetes.io/config.mirror"}}mirror{{else}}-{{end}}{{else}}-{{end}} \
{{range .metadata.ownerReferences}}{{if .controller}}{{.kind}}{{end}}{{end}}. \
{{range .spec.volumes}}{{range $kind, $volume := .}}{{if eq $kind "emptyDir"}}x{{end}}{{end}}{{end}}. \
{{with .spec.terminationGracePeriodSeconds}}{{.}}{{else}}0{{end}}
{{end}}`;

export const kubePodsFamily: FactFamily<Told<KubePod[]>> = {
  name: 'kube-pods',
  refreshed: true,
  guarded: true,
  fleeting: 'pods come and go: which are there is asked again just before',
  library: () => kubeLibrary,
  script: (keys) => keys.map((key) => `kf_kube ${podsCommand(JSON.parse(key.id) as NodeQuery)}`).join('\n'),
  parse(record) {
    const text = toldText(utf8(record));
    const value = 'problem' in text ? text : { told: text.told.split('\n').filter(Boolean).map(podOf) };
    return { state: 'known', raw: record, value };
  },
  differs: (predicted, actual) => leftOver(predicted, actual),
};

/** Also run while draining, to see who is still there. */
export function podsCommand({ api, node }: { api: KubeApi; node: string }): string {
  const words = ['get', 'pods', '--all-namespaces', `--field-selector=spec.nodeName=${node}`];
  return kubectl(api, [...words, '-o', `go-template=${template}`]);
}

function podOf(line: string): KubePod {
  const [namespace, name, uid, phase, leaving, mirror, controller, volumes, grace] = line.split(' ');
  if (grace === undefined) throw new Error(`unreadable pod: ${line.slice(0, 200)}`);
  return {
    namespace: namespace!,
    name: name!,
    uid: uid!,
    finished: phase === 'Succeeded' || phase === 'Failed',
    leaving: leaving === 'leaving',
    mirror: mirror === 'mirror',
    controller: controller!.slice(0, -1),
    localData: volumes!.length > 1,
    grace: Number(grace),
  };
}

/** Pods that a drain was to take away and that are there still. Others may come and go. */
function leftOver(predicted: Told<KubePod[]>, actual: Told<KubePod[]>): string[] {
  if ('problem' in actual) return [actual.problem];
  if ('problem' in predicted) return [];
  const kept = new Set(predicted.told.map(({ uid }) => uid));
  const gone = actual.told.filter((pod) => !kept.has(pod.uid) && pod.controller !== 'DaemonSet' && !pod.mirror);
  return gone.map(({ namespace, name }) => `pod ${namespace}/${name}: expected gone, is there`);
}
