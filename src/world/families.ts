import type { FactFamily, FactKey } from '../core/facts.ts';
import { aptListsFamily } from './apt-lists.ts';
import { aptSimFamily } from './apt-sim.ts';
import { baseFamily } from './base.ts';
import { clockSkewFamily } from './clock-skew.ts';
import { contentFamily } from './content.ts';
import { crontabFamily } from './crontab.ts';
import { customFactsFamily } from './custom-facts.ts';
import { debFamily } from './deb.ts';
import { deviationsFamily } from './deviations.ts';
import { digestFamily } from './digest.ts';
import { etcdMembersFamily } from './etcd-members.ts';
import { evidenceFamily } from './evidence.ts';
import { expandFamily } from './expand.ts';
import { fetchedFamily } from './fetched.ts';
import { fileFamily } from './file.ts';
import { footprintFamily } from './footprint.ts';
import { getentFamily } from './getent.ts';
import { globFamily } from './glob.ts';
import { groupFamily } from './group.ts';
import { hostnameFamily } from './hostname.ts';
import { httpFamily } from './http.ts';
import { idNameFamily } from './id-name.ts';
import { kmodFamily } from './kmod.ts';
import { kubeEvictionsFamily } from './kube-evictions.ts';
import { kubeLeaseFamily } from './kube-lease.ts';
import { kubeLeftoversFamily } from './kube-leftovers.ts';
import { kubeNodeFamily } from './kube-node.ts';
import { kubeNodesFamily } from './kube-nodes.ts';
import { kubePodsFamily } from './kube-pods.ts';
import { kubeSettledFamily } from './kube-settled.ts';
import { listingFamily } from './listing.ts';
import { managerFamily } from './manager.ts';
import { mountsFamily } from './mount.ts';
import { packageFamily } from './package.ts';
import { packageListFamily } from './package-list.ts';
import { payloadFamily } from './payload.ts';
import { probeFamily } from './probe.ts';
import { rawBytesFamily } from './raw-bytes.ts';
import { runningVersionFamily } from './running-version.ts';
import { selfFamily } from './self.ts';
import { serviceListFamily } from './service-list.ts';
import { statFamily } from './stat.ts';
import { sysctlFamily } from './sysctl.ts';
import { tcpFamily } from './tcp.ts';
import { timesFamily } from './times.ts';
import { toolFamily } from './tool.ts';
import { treeFamily } from './tree.ts';
import { unarchivedFamily } from './unarchived.ts';
import { unitFamily } from './unit.ts';
import { userFamily } from './user.ts';
import { whichFamily } from './which.ts';

/** Every registered question: what a plan may send. One line each; `file` first, others look paths up in it. */
const all: FactFamily<never>[] = [
  fileFamily as FactFamily<never>,
  contentFamily as FactFamily<never>,
  deviationsFamily as FactFamily<never>,
  digestFamily as FactFamily<never>,
  expandFamily as FactFamily<never>,
  fetchedFamily as FactFamily<never>,
  idNameFamily as FactFamily<never>,
  listingFamily as FactFamily<never>,
  rawBytesFamily as FactFamily<never>,
  selfFamily as FactFamily<never>,
  statFamily as FactFamily<never>,
  treeFamily as FactFamily<never>,
  aptListsFamily as FactFamily<never>,
  aptSimFamily as FactFamily<never>,
  baseFamily as FactFamily<never>,
  customFactsFamily as FactFamily<never>,
  globFamily as FactFamily<never>,
  groupFamily as FactFamily<never>,
  managerFamily as FactFamily<never>,
  packageFamily as FactFamily<never>,
  payloadFamily as FactFamily<never>,
  probeFamily as FactFamily<never>,
  unarchivedFamily as FactFamily<never>,
  unitFamily as FactFamily<never>,
  userFamily as FactFamily<never>,
  whichFamily as FactFamily<never>,
  etcdMembersFamily as FactFamily<never>,
  evidenceFamily as FactFamily<never>,
  getentFamily as FactFamily<never>,
  hostnameFamily as FactFamily<never>,
  httpFamily as FactFamily<never>,
  kmodFamily as FactFamily<never>,
  packageListFamily as FactFamily<never>,
  serviceListFamily as FactFamily<never>,
  sysctlFamily as FactFamily<never>,
  tcpFamily as FactFamily<never>,
  timesFamily as FactFamily<never>,
  toolFamily as FactFamily<never>,
  crontabFamily as FactFamily<never>,
  mountsFamily as FactFamily<never>,
  debFamily as FactFamily<never>,
  clockSkewFamily as FactFamily<never>,
  footprintFamily as FactFamily<never>,
  kubeEvictionsFamily as FactFamily<never>,
  kubeLeaseFamily as FactFamily<never>,
  kubeLeftoversFamily as FactFamily<never>,
  kubeNodeFamily as FactFamily<never>,
  kubeNodesFamily as FactFamily<never>,
  kubePodsFamily as FactFamily<never>,
  kubeSettledFamily as FactFamily<never>,
  runningVersionFamily as FactFamily<never>,
];

export const families: ReadonlyMap<string, FactFamily> = new Map(
  all.map((family) => [family.name, family as unknown as FactFamily]),
);

/** Whether a question goes to the controller, not to the host. */
export function onController(key: FactKey): boolean {
  return families.get(key.family)?.onController === true;
}
