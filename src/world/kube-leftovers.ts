import { utf8 } from '../core/bytes.ts';
import type { FactFamily, FactKey } from '../core/facts.ts';
import type { WorldView } from '../core/module.ts';
import { readKnown } from './read.ts';

/** What a node's services leave behind when they stop. */
export interface Leftovers {
  /** Ids of containers of pods. */
  containers: string[];
  /** Mount points below the kubelet's folder, as they were mounted. */
  mounts: string[];
  /** Network interfaces, routes as `ip route` writes them. */
  links: string[];
  routes: string[];
  /** Rules of iptables and ip6tables that are of Kubernetes, CNI or kube-routes, and their chains. */
  rules: number;
}

export type Runtime = 'containerd' | 'docker';

export function kubeLeftovers(world: WorldView, runtime: Runtime): Leftovers {
  return readKnown<Leftovers>(world, 'kube-leftovers', runtime);
}

export function kubeLeftoversKey(runtime: Runtime): FactKey {
  return { family: 'kube-leftovers', id: runtime };
}

/** Not guarded: pods come and go as long as the kubelet runs. */
export const kubeLeftoversFamily: FactFamily<Leftovers> = {
  name: 'kube-leftovers',
  refreshed: true,
  guarded: false,
  library: () => leftoversLibrary,
  script: (keys) => keys.map(({ id }) => `kf_left_all ${id}; kp_sep`).join('\n'),
  parse: (record) => ({ state: 'known', raw: record, value: leftoversIn(utf8(record)) }),
};

/** Lines of iptables-save that are ours: chains, and rules that stand in them, jump to them or say who made them. */
export const ruleOfOurs = '^(:(KUBE|CNI)-| *-A (KUBE|CNI)-|-A .* -[jg] (KUBE|CNI)-|-A .*--comment "?kube-routes)';

/**
 * Shell functions that the question and the step share, so that what is removed is what was listed. `ctr` waits ten
 * seconds for a containerd that does not run.
 */
export const leftoversLibrary = `kf_left_containers() {
  case $1 in
  docker) systemctl -q is-active docker.service && docker ps -aq --no-trunc --filter label=io.kubernetes.pod.uid ;;
  *) systemctl -q is-active containerd.service && ctr -n k8s.io containers ls -q ;;
  esac 2>/dev/null </dev/null
}
kf_left_mounts() { cut -d' ' -f5 /proc/self/mountinfo | grep '^/var/lib/kubelet/' | sort -r; }
kf_left_links() {
  for kf_l in cni0 flannel.1 kube-ipvs0; do [ ! -e "/sys/class/net/$kf_l" ] || echo "$kf_l"; done
}
kf_left_routes() { ip -o route show proto 88 2>/dev/null | sed 's/ *$//'; }
kf_left_rules() {
  for kf_t in iptables ip6tables; do
    ! command -v "$kf_t-save" >/dev/null 2>&1 || "$kf_t-save" 2>/dev/null | grep -cE '${ruleOfOurs}'
  done | { kf_n=0; while read -r kf_c; do kf_n=$((kf_n + kf_c)); done; echo "$kf_n"; }
}
kf_left_all() {
  kf_left_containers "$1" | sed 's/^/container /'
  kf_left_mounts | sed 's/^/mount /'
  kf_left_links | sed 's/^/link /'
  kf_left_routes | sed 's/^/route /'
  echo "rules $(kf_left_rules)"
}`;

function leftoversIn(text: string): Leftovers {
  const lines = text.split('\n').filter(Boolean);
  const of = (kind: string) =>
    lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
  return {
    containers: of('container'),
    mounts: of('mount'),
    links: of('link'),
    routes: of('route'),
    rules: Number(of('rules')[0] ?? 0),
  };
}
