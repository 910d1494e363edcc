import type { RunEvent } from '../core/events.ts';

/** What part of making a cluster a failure belongs to; narrower than "a task" and "a gate". */
export type FailureClass = 'deps' | 'extract' | 'unit' | 'cfssl' | 'etcd' | 'apiserver' | 'node-online';

const ofModule: Readonly<Record<string, FailureClass>> = {
  apt: 'deps',
  dnf: 'deps',
  package: 'deps',
  hyperkube: 'extract',
  kube_binaries: 'extract',
  fresh_service: 'unit',
  service: 'unit',
  systemd: 'unit',
  systemd_unit: 'unit',
};

const ofGate: Readonly<Record<string, FailureClass>> = {
  cfssl_online: 'cfssl',
  etcd_healthy: 'etcd',
  kube_apiserver_online: 'apiserver',
  node_online: 'node-online',
  node_registered: 'node-online',
  node_upgraded: 'node-online',
  unit_online: 'unit',
};

/** Undefined: nothing narrower is known than the kind of the failure. */
export function failureClass(event: RunEvent): FailureClass | undefined {
  if (event.type === 'gate') return ofGate[event.gate];
  return event.type === 'task' && event.status === 'failed' ? ofModule[event.module] : undefined;
}
