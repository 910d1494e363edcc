import type { ParamSpecs } from '../core/params.ts';
import { quoteAll } from '../core/quote.ts';
import { result } from '../core/result.ts';
import type { Diff, Step } from '../core/steps.ts';
import {
  kubeLeftovers,
  kubeLeftoversKey,
  type Leftovers,
  leftoversLibrary,
  type Runtime,
  ruleOfOurs,
} from '../world/kube-leftovers.ts';
import { defineModule } from './define.ts';

const params = {
  runtime: { type: 'str', doc: 'Where the containers are', choices: ['containerd', 'docker'], required: true },
} as const satisfies ParamSpecs;

export const kubeLeftoversModule = defineModule({
  name: 'kube_leftovers',
  doc: {
    summary: 'Nothing of the pods of a node runs on when its services are stopped',
    notes: [
      "Ends the containers of pods, takes down what is mounted below /var/lib/kubelet, and removes the interfaces, routes and firewall rules of the pods' network. Others' containers, mounts and rules stay.",
      "Stop the kubelet first. In containerd the images of the namespace k8s.io go, too; docker's stay, for it keeps no book of whose they are.",
    ],
    examples: '- kube_leftovers: {runtime: containerd}\n',
    returns: { containers: 'those that were ended', mounts: 'those that were taken down' },
  },
  params,
  facts: ({ runtime }) => [kubeLeftoversKey(runtime as Runtime)],
  plan({ runtime }, world) {
    const left = kubeLeftovers(world, runtime as Runtime);
    const { containers, mounts, links, routes, rules } = left;
    const isClean = containers.length + mounts.length + links.length + routes.length + rules === 0;
    const steps = isClean ? [] : [endStep(runtime as Runtime, left)];
    return { steps, result: result(!isClean, { containers, mounts }) };
  },
});

function endStep(runtime: Runtime, left: Leftovers): Step {
  const none: Leftovers = { containers: [], mounts: [], links: [], routes: [], rules: 0 };
  const { family, id } = kubeLeftoversKey(runtime);
  return {
    title: "end what is left of the node's pods",
    run: { kind: 'sh', script: endScript(runtime) },
    effects: [{ type: 'fact.set', family, id, value: none }],
    diff: [diffOf(left)],
    proof: [{ family, id }],
    onCut: 'finish',
    timeout: 300,
  };
}

function diffOf({ containers, mounts, links, routes, rules }: Leftovers): Diff {
  const field = (name: string, after: string | null = null) => ({ name, before: 'there', after });
  const fields = [
    ...(containers.length > 0 ? [field(`${containers.length} containers of pods`)] : []),
    ...mounts.map((path) => field(`mount ${path}`)),
    ...links.map((name) => field(`interface ${name}`)),
    ...routes.map((route) => field(`route ${route}`)),
    ...(rules > 0 ? [field(`${rules} firewall rules and chains`)] : []),
  ];
  return { kind: 'fields', subject: "the node's pods and their network", fields };
}

/**
 * The rules are read and written back without ours in one go, so that the others are in force all the time. Network
 * namespaces are found by their sandboxes before these go: others' containers have some of the same kind.
 */
function endScript(runtime: Runtime): string {
  return `${leftoversLibrary}
bad=0
${runtime === 'docker' ? dockerText : containerdText}
kf_left_mounts | while IFS= read -r m; do umount -- "$m" 2>/dev/null || umount -l -- "$m" || exit 1; done || bad=1
kf_left_routes | while read -r dst rest; do ip route del "$dst" proto 88 || exit 1; done || bad=1
for l in $(kf_left_links); do ip link del "$l" || bad=1; done
for t in iptables ip6tables; do
  command -v "$t-save" >/dev/null 2>&1 || continue
  s=$("$t-save" 2>/dev/null) || continue
  printf '%s\\n' "$s" | grep -qE ${quoteAll([ruleOfOurs])} || continue
  printf '%s\\n' "$s" | grep -vE ${quoteAll([ruleOfOurs])} | "$t-restore" -w 10 || bad=1
done
exit $bad`;
}

const containerdText = `if systemctl -q is-active containerd.service; then
  c() { ctr -n k8s.io "$@" </dev/null; }
  nets=$(for i in $(c containers ls -q); do c containers info "$i" 2>/dev/null; done | sed -n 's/.*"path": *"\\(\\(\\/var\\)\\{0,1\\}\\/run\\/netns\\/cni-[^"]*\\)".*/\\1/p' | sort -u)
  for i in $(c tasks ls -q); do c tasks kill -s SIGKILL -a "$i" >/dev/null 2>&1; done
  for i in $(c tasks ls -q); do c tasks delete -f "$i" >/dev/null 2>&1; done
  for i in $(c containers ls -q); do c containers rm "$i" || bad=1; done
  for n in $nets; do umount -- "$n" 2>/dev/null; rm -f -- "$n"; done
  for i in $(c images ls -q); do c images rm --sync "$i" >/dev/null || bad=1; done
  for i in $(c leases ls -q); do c leases rm "$i"; done
  for i in $(c snapshots ls 2>/dev/null | sed 1d | cut -d' ' -f1 | tac); do c snapshots rm "$i" >/dev/null 2>&1; done
  ctr namespaces rm k8s.io >/dev/null 2>&1 </dev/null || :
fi`;

const dockerText = `if systemctl -q is-active docker.service; then
  i=$(kf_left_containers docker)
  [ -z "$i" ] || docker rm -f $i >/dev/null </dev/null || bad=1
fi`;
