import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { type KubeApi, kubectl, kubeLibrary, type Told, told, toldText } from './kube-api.ts';

/** A node of the cluster, as the apiserver knows it. */
export interface ListedNode {
  name: string;
  ready: boolean;
}

/** All nodes. Throws TaskFailure when the apiserver does not tell. */
export function kubeNodes(world: WorldView, api: KubeApi): ListedNode[] {
  return told<ListedNode[]>(world, 'kube-nodes', kubeNodesKey(api).id);
}

export function kubeNodesKey(api: KubeApi): FactKey {
  return { family: 'kube-nodes', id: JSON.stringify(api) };
}

const template =
  '{{range .items}}{{.metadata.name}}{{range .status.conditions}}{{if eq .type "Ready"}} {{.status}}{{end}}{{end}}{{"\\n"}}{{end}}';

/** Not guarded: nodes become Ready by themselves. */
export const kubeNodesFamily: FactFamily<Told<ListedNode[]>> = {
  name: 'kube-nodes',
  refreshed: true,
  guarded: false,
  library: () => kubeLibrary,
  script: (keys) =>
    keys
      .map(
        (key) => `kf_kube ${kubectl(JSON.parse(key.id) as KubeApi, ['get', 'nodes', '-o', `go-template=${template}`])}`,
      )
      .join('\n'),
  parse(record) {
    const text = toldText(utf8(record));
    return { state: 'known', raw: record, value: 'problem' in text ? text : { told: nodesIn(text.told) } };
  },
};

function nodesIn(text: string): ListedNode[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [name = '', ready] = line.trim().split(' ');
      return { name, ready: ready === 'True' };
    });
}
