import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { quote } from '../core/quote.ts';
import { type KubeApi, kubectl, kubeLibrary, type Told, toldText } from './kube-api.ts';
import { readKnown } from './read.ts';
import { fullName } from './unit.ts';

export interface LeaseQuery {
  api: KubeApi;
  /** Its lease in kube-system, and its unit on the host. */
  component: string;
}

/** Who leads a component of the control plane, and when it began here. Milliseconds since the epoch. */
export interface KubeLease {
  /** The machine's own name, as the holder of a lease would give it. */
  here: string;
  now: number;
  /** When the unit was last started on this machine; undefined: systemd does not say. */
  started: number | undefined;
  /** Machine of the holder, empty: nobody. */
  holder: string;
  acquired: number;
  renewed: number;
}

export function kubeLease(world: WorldView, query: LeaseQuery): Told<KubeLease> {
  return readKnown<Told<KubeLease>>(world, 'kube-lease', kubeLeaseKey(query).id);
}

export function kubeLeaseKey({ api, component }: LeaseQuery): FactKey {
  return { family: 'kube-lease', id: JSON.stringify({ api, component }) };
}

const template = '{{.spec.holderIdentity}} {{.spec.acquireTime}} {{.spec.renewTime}}';

/** Asked by a gate, again and again: answers are never kept. */
export const kubeLeaseFamily: FactFamily<Told<KubeLease>> = {
  name: 'kube-lease',
  refreshed: true,
  guarded: false,
  library: () => kubeLibrary,
  script: (keys) => keys.map((key) => call(JSON.parse(key.id) as LeaseQuery)).join('\n'),
  parse(record) {
    const text = toldText(utf8(record));
    return { state: 'known', raw: record, value: 'problem' in text ? text : { told: leaseIn(text.told) } };
  },
};

/** systemd makes a link anew at each start. */
function call({ api, component }: LeaseQuery): string {
  const lease = kubectl(api, ['get', 'lease', '-n', 'kube-system', component, '-o', `go-template=${template}`]);
  const link = quote(`/run/systemd/units/invocation:${fullName(component)}`);
  const here = `echo "$(uname -n) $(date +%s) $(stat -c %Y ${link} 2>/dev/null || echo -)"`;
  return `kf_kube sh -c ${quote(`${here} && ${lease}`)}`;
}

function leaseIn(text: string): KubeLease {
  const [own = '', lease = ''] = text.trim().split('\n');
  const [here = '', now, started] = own.split(' ');
  const [holder = '', acquired = '', renewed = ''] = lease.split(' ');
  return {
    here,
    now: Number(now) * 1000,
    started: /^\d+$/.test(started ?? '') ? Number(started) * 1000 : undefined,
    holder: holder.startsWith('<no') ? '' : holder.replace(/_[^_]*$/, ''),
    acquired: Date.parse(acquired),
    renewed: Date.parse(renewed),
  };
}
