import type { Module } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';
import { alternativesModule } from './alternatives.ts';
import { aptModule } from './apt.ts';
import { aptKeyModule } from './apt_key.ts';
import { aptRepositoryModule } from './apt_repository.ts';
import { assembleModule } from './assemble.ts';
import { assertModule } from './assert.ts';
import { authorizedKeyModule } from './authorized_key.ts';
import { blockinfileModule } from './blockinfile.ts';
import { checkVariablesModule } from './check_variables.ts';
import { clockCheckModule } from './clock_check.ts';
import { commandModule } from './command.ts';
import { copyModule } from './copy.ts';
import { cronModule } from './cron.ts';
import { deb822RepositoryModule } from './deb822_repository.ts';
import { debconfModule } from './debconf.ts';
import { debugModule } from './debug.ts';
import { dnfModule } from './dnf.ts';
import { dpkgSelectionsModule } from './dpkg_selections.ts';
import { etcdMemberModule } from './etcd_member.ts';
import { etcdQuorumModule } from './etcd_quorum.ts';
import { failModule } from './fail.ts';
import { fileModule } from './file.ts';
import { findFilesModule } from './find.ts';
import { footprintModule } from './footprint.ts';
import { freshServiceModule } from './fresh_service.ts';
import { getUrlModule } from './get_url.ts';
import { getentModule } from './getent.ts';
import { gitModule } from './git.ts';
import { groupModule } from './group.ts';
import { hostnameModule } from './hostname.ts';
import { hyperkubeModule } from './hyperkube.ts';
import { iniFileModule } from './ini_file.ts';
import { iptablesModule } from './iptables.ts';
import { keptFilesModule } from './kept_files.ts';
import { knownHostsModule } from './known_hosts.ts';
import { kubeBinariesModule } from './kube_binaries.ts';
import { kubeCertificateModule } from './kube_certificate.ts';
import { kubeCordonModule } from './kube_cordon.ts';
import { kubeDrainModule } from './kube_drain.ts';
import { kubeEvictableModule } from './kube_evictable.ts';
import { kubeExpiryModule } from './kube_expiry.ts';
import { kubeLeftoversModule } from './kube_leftovers.ts';
import { kubeNodeModule } from './kube_node.ts';
import { kubeNodesModule } from './kube_nodes.ts';
import { kubeRunningModule } from './kube_running.ts';
import { kubeSkewModule } from './kube_skew.ts';
import { kubeUncordonModule } from './kube_uncordon.ts';
import { lineinfileModule } from './lineinfile.ts';
import { modprobeModule } from './modprobe.ts';
import { mountModule } from './mount.ts';
import { packageModule } from './package.ts';
import { packageFactsModule } from './package_facts.ts';
import { pingModule } from './ping.ts';
import { pipModule } from './pip.ts';
import { rawModule } from './raw.ts';
import { replaceModule } from './replace.ts';
import { rpmKeyModule } from './rpm_key.ts';
import { scriptModule } from './script.ts';
import { selinuxModule } from './selinux.ts';
import { serviceModule } from './service.ts';
import { serviceFactsModule } from './service_facts.ts';
import { setFactModule } from './set_fact.ts';
import { setStatsModule } from './set_stats.ts';
import { setupModule } from './setup.ts';
import { shellModule } from './shell.ts';
import { slurpModule } from './slurp.ts';
import { statModule } from './stat.ts';
import { sysctlModule } from './sysctl.ts';
import { systemdModule } from './systemd.ts';
import { systemdUnitModule } from './systemd_unit.ts';
import { tempfileModule } from './tempfile.ts';
import { templateModule } from './template.ts';
import { timezoneModule } from './timezone.ts';
import { unarchiveModule } from './unarchive.ts';
import { uriModule } from './uri.ts';
import { userModule } from './user.ts';
import { yumRepositoryModule } from './yum_repository.ts';

/** A module of any parameters, as the planner sees it: it hands over what coercion made of them. */
export type AnyModule = Module<ParamSpecs>;

/** Every module, in alphabetical order, one line each. */
export const modules: readonly AnyModule[] = [
  alternativesModule,
  aptModule,
  aptKeyModule,
  aptRepositoryModule,
  assembleModule,
  assertModule,
  authorizedKeyModule,
  blockinfileModule,
  checkVariablesModule,
  clockCheckModule,
  commandModule,
  copyModule,
  cronModule,
  deb822RepositoryModule,
  debconfModule,
  debugModule,
  dnfModule,
  dpkgSelectionsModule,
  etcdMemberModule,
  etcdQuorumModule,
  failModule,
  fileModule,
  findFilesModule,
  footprintModule,
  freshServiceModule,
  getUrlModule,
  getentModule,
  gitModule,
  groupModule,
  hostnameModule,
  hyperkubeModule,
  iniFileModule,
  iptablesModule,
  knownHostsModule,
  keptFilesModule,
  kubeBinariesModule,
  kubeCertificateModule,
  kubeCordonModule,
  kubeDrainModule,
  kubeEvictableModule,
  kubeExpiryModule,
  kubeLeftoversModule,
  kubeNodeModule,
  kubeNodesModule,
  kubeRunningModule,
  kubeSkewModule,
  kubeUncordonModule,
  lineinfileModule,
  modprobeModule,
  mountModule,
  packageModule,
  packageFactsModule,
  pingModule,
  pipModule,
  rawModule,
  replaceModule,
  rpmKeyModule,
  scriptModule,
  selinuxModule,
  serviceModule,
  serviceFactsModule,
  setFactModule,
  setStatsModule,
  setupModule,
  shellModule,
  slurpModule,
  statModule,
  sysctlModule,
  systemdModule,
  systemdUnitModule,
  tempfileModule,
  templateModule,
  timezoneModule,
  unarchiveModule,
  uriModule,
  userModule,
  yumRepositoryModule,
] as readonly unknown[] as readonly AnyModule[];

const byName = new Map(modules.flatMap((module) => namesOf(module).map((name) => [name, module] as const)));

/** The module behind a name or an alias (short names, as the loader makes them); undefined: there is none. */
export function findModule(name: string): AnyModule | undefined {
  return byName.get(name);
}

/** Every name that `findModule` knows. */
export function moduleNames(): string[] {
  return [...byName.keys()];
}

function namesOf(module: AnyModule): string[] {
  return [module.name, ...(module.aliases ?? [])];
}
