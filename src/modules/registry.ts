import type { Module } from '../core/module.ts';
import type { ParamSpecs } from '../core/params.ts';
import { aptModule } from './apt.ts';
import { assertModule } from './assert.ts';
import { blockinfileModule } from './blockinfile.ts';
import { checkVariablesModule } from './check_variables.ts';
import { commandModule } from './command.ts';
import { copyModule } from './copy.ts';
import { cronModule } from './cron.ts';
import { debugModule } from './debug.ts';
import { failModule } from './fail.ts';
import { fileModule } from './file.ts';
import { findFilesModule } from './find.ts';
import { freshServiceModule } from './fresh_service.ts';
import { getUrlModule } from './get_url.ts';
import { getentModule } from './getent.ts';
import { groupModule } from './group.ts';
import { hostnameModule } from './hostname.ts';
import { hyperkubeModule } from './hyperkube.ts';
import { iniFileModule } from './ini_file.ts';
import { kubeBinariesModule } from './kube_binaries.ts';
import { kubeCertificateModule } from './kube_certificate.ts';
import { kubeCordonModule } from './kube_cordon.ts';
import { kubeDrainModule } from './kube_drain.ts';
import { kubeEvictableModule } from './kube_evictable.ts';
import { kubeExpiryModule } from './kube_expiry.ts';
import { kubeRunningModule } from './kube_running.ts';
import { kubeSkewModule } from './kube_skew.ts';
import { kubeUncordonModule } from './kube_uncordon.ts';
import { lineinfileModule } from './lineinfile.ts';
import { modprobeModule } from './modprobe.ts';
import { mountModule } from './mount.ts';
import { packageModule } from './package.ts';
import { packageFactsModule } from './package_facts.ts';
import { rawModule } from './raw.ts';
import { replaceModule } from './replace.ts';
import { scriptModule } from './script.ts';
import { serviceModule } from './service.ts';
import { serviceFactsModule } from './service_facts.ts';
import { setFactModule } from './set_fact.ts';
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
import { userModule } from './user.ts';

/** A module of any parameters, as the planner sees it: it hands over what coercion made of them. */
export type AnyModule = Module<ParamSpecs>;

/** Every module, in alphabetical order, one line each. */
export const modules: readonly AnyModule[] = [
  aptModule,
  assertModule,
  blockinfileModule,
  checkVariablesModule,
  commandModule,
  copyModule,
  cronModule,
  debugModule,
  failModule,
  fileModule,
  findFilesModule,
  freshServiceModule,
  getentModule,
  getUrlModule,
  groupModule,
  hostnameModule,
  hyperkubeModule,
  iniFileModule,
  kubeBinariesModule,
  kubeCertificateModule,
  kubeCordonModule,
  kubeDrainModule,
  kubeEvictableModule,
  kubeExpiryModule,
  kubeRunningModule,
  kubeSkewModule,
  kubeUncordonModule,
  lineinfileModule,
  modprobeModule,
  mountModule,
  packageFactsModule,
  packageModule,
  rawModule,
  replaceModule,
  scriptModule,
  serviceFactsModule,
  serviceModule,
  setFactModule,
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
  userModule,
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
