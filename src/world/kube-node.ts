import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { type KubeApi, kubectl, kubeLibrary, type Told, told, toldText } from './kube-api.ts';

/** Annotation of a node that kpush cordoned: the run that did. A node that was cordoned before has none. */
export const cordonMark = 'kpush/cordoned';

export interface KubeNode {
  cordoned: boolean;
  /** The run of kpush that cordoned it; empty: nobody of kpush's did. */
  mark: string;
}

export interface NodeQuery {
  api: KubeApi;
  node: string;
}

/** Whether a node takes new pods. Throws TaskFailure when the apiserver does not tell. */
export function kubeNode(world: WorldView, query: NodeQuery): KubeNode {
  return told<KubeNode>(world, 'kube-node', kubeNodeKey(query).id);
}

export function kubeNodeKey({ api, node }: NodeQuery): FactKey {
  return { family: 'kube-node', id: JSON.stringify({ api, node }) };
}

const template = `{{.spec.unschedulable}}|{{with .metadata.annotations}}{{with index . "${cordonMark}"}}{{.}}{{end}}{{end}}`;

export const kubeNodeFamily: FactFamily<Told<KubeNode>> = {
  name: 'kube-node',
  refreshed: true,
  guarded: true,
  library: () => kubeLibrary,
  script: (keys) => keys.map((key) => `kf_kube ${command(JSON.parse(key.id) as NodeQuery)}`).join('\n'),
  parse(record) {
    const text = toldText(utf8(record));
    if ('problem' in text) return { state: 'known', raw: record, value: text };
    const [cordoned, mark = ''] = text.told.trim().split('|');
    return { state: 'known', raw: record, value: { told: { cordoned: cordoned === 'true', mark } } };
  },
};

function command({ api, node }: NodeQuery): string {
  return kubectl(api, ['get', 'node', node, '-o', `go-template=${template}`]);
}
