import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { kubectl, kubeLibrary, type Told, toldText } from './kube-api.ts';
import type { NodeQuery } from './kube-node.ts';
import { readKnown } from './read.ts';

/** What the apiserver knows of a node after its kubelet was started, and of the pods that every node has. */
export interface KubeSettled {
  /** What its kubelet reported of this boot of the machine. */
  sameBoot: boolean;
  /** Empty: Ready; else why not. */
  notReady: string;
  /** `v1.20.5`. */
  kubelet: string;
  /** Pods of DaemonSets that are not Ready, or on their way out. */
  unsettled: string[];
}

export function kubeSettled(world: WorldView, query: NodeQuery): Told<KubeSettled> {
  return readKnown<Told<KubeSettled>>(world, 'kube-settled', kubeSettledKey(query).id);
}

export function kubeSettledKey({ api, node }: NodeQuery): FactKey {
  return { family: 'kube-settled', id: JSON.stringify({ api, node }) };
}

const ofNode = `{{.status.nodeInfo.bootID}} {{.status.nodeInfo.kubeletVersion}} \
{{range .status.conditions}}{{if eq .type "Ready"}}{{.status}} {{.message}}{{end}}{{end}}
`;
const ofPods = `{{range .items}}{{$of := ""}}{{range .metadata.ownerReferences}}{{if .controller}}{{$of = .kind}}{{end}}{{end}}\
{{if eq $of "DaemonSet"}}{{.metadata.namespace}}/{{.metadata.name}} \
{{if .metadata.deletionTimestamp}}leaving{{else}}-{{end}}{{range .status.conditions}}{{if eq .type "Ready"}} {{.status}}{{end}}{{end}}
{{end}}{{end}}`;

/** Asked by a gate, again and again: answers are never kept. */
export const kubeSettledFamily: FactFamily<Told<KubeSettled>> = {
  name: 'kube-settled',
  refreshed: true,
  guarded: false,
  library: () => kubeLibrary,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as NodeQuery)).join('\n'),
  parse(record) {
    const text = toldText(utf8(record));
    return { state: 'known', raw: record, value: 'problem' in text ? text : { told: settledIn(text.told) } };
  },
};

function call({ api, node }: NodeQuery): string {
  const pods = ['get', 'pods', '--all-namespaces', `--field-selector=spec.nodeName=${node}`];
  const both = [
    'cat /proc/sys/kernel/random/boot_id',
    kubectl(api, ['get', 'node', node, '-o', `go-template=${ofNode}`]),
    kubectl(api, [...pods, '-o', `go-template=${ofPods}`]),
  ];
  return `kf_kube sh -c ${quote(both.join(' && '))}`;
}

function settledIn(text: string): KubeSettled {
  const [boot = '', node = '', ...pods] = text.split('\n');
  const [reported, kubelet, ready, ...why] = node.split(' ');
  const unsettled = pods.filter(Boolean).flatMap((line) => {
    const [pod, leaving, state] = line.split(' ');
    return leaving === 'leaving' ? [`${pod} is on its way out`] : state === 'True' ? [] : [`${pod} is not Ready`];
  });
  const notReady = ready === 'True' ? '' : why.join(' ') || 'its kubelet has not said';
  return { sameBoot: reported === boot.trim(), notReady, kubelet: kubelet ?? '', unsettled };
}
